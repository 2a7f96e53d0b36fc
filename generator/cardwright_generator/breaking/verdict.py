"""What findings amount to: which count, which are waived, and what version they ask for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardwright_generator.waivers import Waiver

from .finding import Finding
from .rule import Level, Step


@dataclass(frozen=True, slots=True)
class Verdict:
    """All findings of a comparison, with the project's decisions about them."""

    against: str
    findings: tuple[Finding, ...]
    """Those that count."""
    waived: tuple[tuple[Finding, Waiver], ...] = ()
    stale: tuple[Waiver, ...] = ()
    """Waivers of nothing that is found any more."""

    @property
    def step(self) -> Step:
        """The version step that everything together asks for; waived findings ask, too."""
        every = (*self.findings, *(finding for finding, _ in self.waived))
        return max((one.rule.asks_for for one in every), default=Step.NONE)

    def fails(self, threshold: Level | None) -> bool:
        """Whether something is as bad as the threshold; a stale waiver is as bad as a warning."""
        if threshold is None:
            return False
        worst = max((one.level for one in self.findings), default=None)
        stale = bool(self.stale) and threshold <= Level.WARN
        return stale or (worst is not None and worst >= threshold)


def judge(findings: Sequence[Finding], waivers: Iterable[Waiver], against: str) -> Verdict:
    """Sort findings into those that count and those that are waived."""
    known = {waiver.fingerprint: waiver for waiver in waivers}
    waived = tuple((one, known[one.fingerprint]) for one in findings if one.fingerprint in known)
    met = {finding.fingerprint for finding, _ in waived}
    return Verdict(
        against,
        tuple(one for one in findings if one.fingerprint not in known),
        waived,
        tuple(waiver for name, waiver in known.items() if name not in met),
    )
