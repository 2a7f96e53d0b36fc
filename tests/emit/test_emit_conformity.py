"""`logic_problems`: what keeps a logic from its contract, each naming the method."""

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar, Never, final, override

import pytest

from cardwright.core import CardLogic, ToolCard, ToolObserver
from cardwright.core.conformity import logic_problems


class PadTool(ToolCard):
    """A card with one tool."""

    logic_path: ClassVar[str] = ""

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        return []


class PadContract(CardLogic[PadTool, ToolObserver, Never]):
    """What the pad asks of its logic."""

    @abstractmethod
    def put(self, *, text: str) -> str:
        """Put."""

    @abstractmethod
    async def get(self) -> str:
        """Get."""


@final
class Fits(PadContract):
    @override
    def put(self, *, text: str) -> str:
        return text

    @override
    async def get(self) -> str:
        return ""

    def helper(self) -> None: ...


class NotFinal(PadContract):
    @override
    def put(self, *, text: str) -> str:
        return text

    async def get(self) -> str:
        return ""


@final
class Stale(PadContract):  # type: ignore[misc]  # lacks `get`: the point of the test
    @override
    def put(  # pyright: ignore[reportIncompatibleMethodOverride] - the point of the test
        self, text: str
    ) -> str:
        return text

    @override
    def take(self) -> str:  # type: ignore[misc]  # overrides nothing: the point of the test
        return ""


@pytest.mark.parametrize(
    ("logic", "problems"),
    [
        (Fits, []),
        (
            NotFinal,
            [
                "NotFinal: decorate the class with @final",
                "NotFinal.get: decorate the method with @override",
            ],
        ),
        (
            Stale,
            [
                "Stale.put: is def put(self, text); the contract says def put(self, *, text)",
                "Stale.get: missing; the contract says async def get(self)",
                "Stale.take: overrides nothing in PadContract",
            ],
        ),
    ],
)
def test_problems(logic: type, problems: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PadTool, "logic_path", f"{__name__}:{logic.__name__}")
    assert logic_problems(PadTool, PadContract) == problems


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("no_such_module:X", "no module no_such_module"),
        ("json:NoSuchClass", "json has no NoSuchClass"),
        ("json:JSONDecoder", "json:JSONDecoder is not a subclass of PadContract"),
    ],
)
def test_no_logic_at_all(path: str, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PadTool, "logic_path", path)
    (found,) = logic_problems(PadTool, PadContract)
    assert problem in found
