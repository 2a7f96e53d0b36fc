"""Unified diffs: exact for machines, capped for models."""

from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from .endings import with_breaks
from .patch_paths import quoted

CONTEXT = 3
MOST_CELLS = 400_000_000
"""Lines times lines up to which the shortest difference is worked out, about 50 MB."""
NO_NEWLINE = "\\ No newline at end of file"

type Step = tuple[int, int, int, int]
"""`before[a:b]` became `after[c:d]`."""


@dataclass(frozen=True, slots=True)
class _Sides:
    """The lines of the two texts around what differs; `skipped` lines before are alike."""

    before: list[str]
    after: list[str]
    skipped: int

    @classmethod
    def of(cls, before: str, after: str, context: int) -> "_Sides":
        """Both without what is alike at their ends, but for `context` lines of it."""
        head = before.rfind("\n", 0, _alike(before, after)) + 1
        tail = _alike_ends(before[head:], after[head:])
        for _ in range(context):
            head = before.rfind("\n", 0, max(head - 1, 0)) + 1
        stop = _stop(before, len(before) - tail, context)
        end = len(after) - len(before) + stop
        window = with_breaks(before[head:stop]), with_breaks(after[head:end])
        return cls(*window, before.count("\n", 0, head))


def unified(path: str, before: str, after: str, *, context: int = CONTEXT) -> str:
    """The difference with `a/` and `b/` headers, "" if there is none.

    Applied to `before` it gives `after` byte for byte.
    """
    return "\n".join(_difference(f"a/{path}", f"b/{path}", before, after, context))


def live_to_proposed(path: str, live: str, proposed: str, cap: int = 200) -> str:
    """What a refused change would do to the live text, as `bounded_difference` shows it."""
    return bounded_difference(f"live/{path}", f"proposed/{path}", live, proposed, cap)


def bounded_difference(
    old_name: str, new_name: str, before: str, after: str, cap: int = 200
) -> str:
    """The difference of two texts under these names, cut to `cap` lines.

    Returns:
        The difference and, if it is longer, one line with the number of lines left out.
    """
    lines = list(_difference(old_name, new_name, before, after, CONTEXT))
    left = len(lines) - cap
    notice = [f"[... {left} more lines of the difference left out ...]"] if left > 0 else []
    return "\n".join(lines[:cap] + notice)


def _difference(
    old_name: str, new_name: str, before: str, after: str, context: int
) -> Iterator[str]:
    if before == after:
        return
    sides = _Sides.of(before, after, context)
    yield f"--- {quoted(old_name)}"
    yield f"+++ {quoted(new_name)}"
    for group in _grouped(_steps(sides), context):
        yield from _hunk(sides, group, context)


def _alike(one: str, other: str) -> int:
    """How many characters are alike at the beginning, by comparing halves of what is left."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _alike_ends(one: str, other: str) -> int:
    """As `_alike`, at the end."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _stop(text: str, position: int, context: int) -> int:
    """Where a line begins after `position`, and `context` lines further."""
    for _ in range(context + 1):
        found = text.find("\n", position)
        if found < 0:
            return len(text)
        position = found + 1
    return position


def _steps(sides: _Sides) -> list[Step]:
    """What changed, in order; what is equal at both ends is set aside first."""
    before, after = sides.before, sides.after
    head = 0
    shorter = min(len(before), len(after))
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    ends = len(before) - tail, len(after) - tail
    return [
        (a + head, b + head, c + head, d + head)
        for a, b, c, d in _middle(before[head : ends[0]], after[head : ends[1]])
    ]


def _middle(before: list[str], after: list[str]) -> list[Step]:
    if len(before) * len(after) > MOST_CELLS:
        return [(0, len(before), 0, len(after))]
    numbers: dict[str, int] = {}
    one = [numbers.setdefault(line, len(numbers)) for line in before]
    other = [numbers.setdefault(line, len(numbers)) for line in after]
    steps: list[Step] = []
    for step in LCSseq.opcodes(one, other):
        if step.tag == "equal":
            continue
        here = (step.src_start, step.src_end, step.dest_start, step.dest_end)
        if steps and steps[-1][1] == here[0] and steps[-1][3] == here[2]:
            here = (steps[-1][0], here[1], steps[-1][2], here[3])
            steps.pop()
        steps.append(here)
    return steps


def _grouped(steps: list[Step], context: int) -> Iterator[list[Step]]:
    """The changes that share one hunk."""
    group: list[Step] = []
    for step in steps:
        if group and step[0] - group[-1][1] > 2 * context:
            yield group
            group = []
        group.append(step)
    if group:
        yield group


def _hunk(sides: _Sides, group: list[Step], context: int) -> Iterator[str]:
    start, stop = max(0, group[0][0] - context), min(len(sides.before), group[-1][1] + context)
    begin = group[0][2] - (group[0][0] - start)
    end = group[-1][3] + (stop - group[-1][1])
    yield f"@@ -{_range(start, stop, sides.skipped)} +{_range(begin, end, sides.skipped)} @@"
    position = start
    for a, b, c, d in group:
        yield from _marked(" ", sides.before[position:a])
        yield from _marked("-", sides.before[a:b])
        yield from _marked("+", sides.after[c:d])
        position = b
    yield from _marked(" ", sides.before[position:stop])


def _range(start: int, stop: int, skipped: int) -> str:
    count, start = stop - start, start + skipped
    if count == 1:
        return str(start + 1)
    return f"{start + 1 if count else start},{count}"


def _marked(mark: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield mark + line.removesuffix("\n")
        if not line.endswith("\n"):
            yield NO_NEWLINE
