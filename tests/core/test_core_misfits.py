"""A logic that does not fit its contract is refused when it is bound."""

from abc import abstractmethod

import pytest

from cardwright.core import CardDefinitionError, CardLogic
from cardwright.core.misfits import refuse_misfits


class Contract(CardLogic[object, object, str]):  # type: ignore[type-var]  # no card is needed here
    @abstractmethod
    def define(self, *, term: str, depth: int) -> str: ...

    @abstractmethod
    async def fetch(self, *, url: str) -> str: ...


class Fits(Contract):
    def define(self, *, term: str, depth: int, more: bool = False) -> str:
        return ""

    async def fetch(self, **_: object) -> str:
        return ""


class Renamed(Fits):
    def define(self, *, word: str, depth: int) -> str:  # type: ignore[override]  # the fault
        return ""


class Asks(Fits):
    def define(self, *, term: str, depth: int, more: bool) -> str:  # type: ignore[override]  # the fault
        return ""


class Waits(Fits):
    def fetch(self, *, url: str) -> str:  # type: ignore[override]  # the fault
        return ""


def test_what_takes_every_call_of_its_contract_passes() -> None:
    refuse_misfits(Fits)


@pytest.mark.parametrize(
    ("logic", "told"),
    [
        (Renamed, r"Renamed.define is `def define\(self, \*, word, depth\)`, its contract `def"),
        (Asks, r"Asks.define is .* its contract `def define\(self, \*, term, depth\)`"),
        (Waits, r"Waits.fetch is `def fetch\(self, \*, url\)`, its contract `async def fetch"),
    ],
)
def test_a_misfit_is_named_with_both_signatures(logic: type[Contract], told: str) -> None:
    with pytest.raises(CardDefinitionError, match=told) as refused:
        refuse_misfits(logic)

    assert "`cardwright check`" in str(refused.value)
