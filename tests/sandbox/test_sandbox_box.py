"""A sandbox can be given up at any moment."""

from functools import partial

import pytest
from tests.sandbox.sandbox_support import SMALL, processes_with, trees, wait_until, why_not

from cardwright.sandbox.box import Box, Wanted
from cardwright.sandbox.cgroups import ControlGroup
from cardwright.sandbox.unprivileged import MappedTree


def _is_empty(group: ControlGroup) -> bool:
    return not group.processes()


@pytest.mark.parametrize("maps", [True, False])
def test_a_sandbox_that_is_given_up_while_it_starts_leaves_no_process(maps: bool) -> None:
    if reason := why_not("bwrap"):
        pytest.skip(reason)
    wanted = Wanted(SMALL, network=False, readable=(), maps_owner=True)
    with trees() as root:
        box = Box(root, wanted, MappedTree.opened(root) if maps else None)
        for pause in range(24):
            late = box.run(["sleep", "4711.5"], "/workspace", pause / 2000)
            assert late.timed_out
            assert wait_until(partial(_is_empty, box._group))
        assert not processes_with("4711.5")
        box.close()
