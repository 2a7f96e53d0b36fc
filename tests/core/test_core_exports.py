"""What `import cardwright` offers, and that it loads late."""

import subprocess
import sys

import cardwright


def test_every_name_of_the_root_loads_and_is_the_one_of_its_home() -> None:
    from cardwright import bench, tools

    for name in cardwright.__all__:
        assert getattr(cardwright, name) is not None
    assert cardwright.tool is tools.tool
    assert cardwright.ToolContext is tools.ToolContext
    assert cardwright.ToolRegistry is tools.ToolRegistry
    assert cardwright.RetryRequested is bench.RetryRequested
    assert set(cardwright.__all__) <= set(dir(cardwright))


def test_the_root_alone_loads_nothing_of_ours() -> None:
    code = "import cardwright, sys; print([n for n in sys.modules if n.startswith('cardwright.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
