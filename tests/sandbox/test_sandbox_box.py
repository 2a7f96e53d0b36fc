"""A sandbox that waits for its command can be given up at any moment."""

import time
from functools import partial

import pytest
from tests.sandbox.sandbox_support import SMALL, processes_with, trees, wait_until, why_not

from cardwright.sandbox.box import Box, Wanted
from cardwright.sandbox.cgroups import ControlGroup
from cardwright.sandbox.unprivileged import MappedTree


def _is_empty(group: ControlGroup) -> bool:
    return not group.processes()


def test_a_sandbox_that_is_given_up_while_it_starts_leaves_no_process() -> None:
    if reason := why_not("bwrap"):
        pytest.skip(reason)
    wanted = Wanted(SMALL, network=False, readable=(), maps_owner=True)
    with trees() as root:
        for pause in range(30):
            box = Box(root, wanted, MappedTree.opened(root) if pause % 3 == 0 else None)
            box.prepare()
            time.sleep(pause / 2000)
            box.close()
            assert wait_until(partial(_is_empty, box._group))
        assert wait_until(lambda: not processes_with(str(root)))
