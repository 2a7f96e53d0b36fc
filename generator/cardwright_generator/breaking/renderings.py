"""A verdict for people, for programs, for GitHub's annotations and for test reports."""

import json
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from cardwright_generator.spec.render import as_data, as_property
from cardwright_generator.spec.visible import visible

from .finding import Finding, Spot
from .rule import Level
from .verdict import Verdict

_SEVERITY = {Level.ERR: "error", Level.WARN: "warning", Level.INFO: "notice"}


def render_text(verdict: Verdict) -> str:
    """Findings with their places, then what they amount to."""
    lines = [line for one in verdict.findings for line in _told(one)]
    for one, waiver in verdict.waived:
        lines.append(f"{place(one)}: waived {one.rule.id} {one.message}")
        lines.append(f"  = {one.fingerprint}: {visible(waiver.reason)}")
    lines += [
        f"pyproject.toml: stale waiver {waiver.fingerprint} ({visible(waiver.reason)}):"
        f" it waives nothing since {verdict.against}; take it out when the change is released"
        for waiver in verdict.stale
    ]
    return "\n".join([*lines, summary(verdict)])


def _told(one: Finding) -> Iterator[str]:
    yield f"{place(one)}: {one.level.name} {one.category} {one.rule.id} {one.message}"
    before = f"was at {one.before}; " if one.before is not None and one.after is not None else ""
    part = f"{one.card}: {one.subject}" if one.subject else one.card
    yield f"  = {part}; {before}fingerprint {one.fingerprint}"


def place(one: Finding) -> Spot | str:
    """Where to look: today's place, or the last one."""
    return one.after or one.before or one.card


def summary(verdict: Verdict) -> str:
    """One line: how many of each level, and the version step."""
    if not verdict.findings and not verdict.waived:
        return f"{counts(verdict)} since {verdict.against}"
    step = verdict.step.name.lower()
    more = "`cardwright explain RULE` says more"
    return f"{counts(verdict)} since {verdict.against}; version step: {step} ({more})"


def counts(verdict: Verdict) -> str:
    """How many findings there are of each level, and how many are waived."""
    if not verdict.findings and not verdict.waived:
        return "nothing changed for anybody"
    found = [
        f"{number} {level.name}"
        for level in sorted(Level, reverse=True)
        if (number := sum(one.level is level for one in verdict.findings))
    ]
    return ", ".join([*found, *([f"{len(verdict.waived)} waived"] if verdict.waived else [])])


def render_json(verdict: Verdict) -> str:
    """One object: findings, waived ones, stale waivers, the version step."""
    found = {
        "against": verdict.against,
        "step": verdict.step.name.lower(),
        "findings": [_object(one) for one in verdict.findings],
        "waived": [_object(one) | {"reason": waiver.reason} for one, waiver in verdict.waived],
        "stale_waivers": [
            {"fingerprint": waiver.fingerprint, "reason": waiver.reason} for waiver in verdict.stale
        ],
    }
    return json.dumps(found, indent=2, ensure_ascii=False)


def _object(one: Finding) -> dict[str, object]:
    return {
        "rule": one.rule.id,
        "level": one.level.name,
        "category": str(one.category),
        "step": one.rule.asks_for.name.lower(),
        "card": one.card,
        "subject": one.subject,
        "message": one.message,
        "before": _spot(one.before),
        "after": _spot(one.after),
        "fingerprint": one.fingerprint,
    }


def _spot(spot: Spot | None) -> dict[str, object] | None:
    if spot is None:
        return None
    return {"file": spot.file, "line": spot.line, "column": spot.column}


def render_github(verdict: Verdict, below: str = "") -> str:
    """Workflow commands that GitHub shows as annotations, one per line.

    `below` is the folder of the project in its repository, empty or with a closing slash:
    annotations name files from the top.
    """
    lines = [_command(one, below) for one in verdict.findings]
    settings = as_property(f"{below}pyproject.toml")
    lines += [
        f"::warning file={settings},title=stale waiver::{waiver.fingerprint} waives nothing"
        for waiver in verdict.stale
    ]
    return "\n".join(lines)


def _command(one: Finding, below: str) -> str:
    spot = one.after or one.before or Spot(one.card, 1, 1)
    where = f"file={as_property(below + spot.file)},line={spot.line},col={spot.column}"
    title = f"{one.category} {one.rule.id} ({one.fingerprint})"
    return f"::{_SEVERITY[one.level]} {where},title={as_property(title)}::{as_data(one.message)}"


def render_junit(verdict: Verdict, threshold: Level | None) -> str:
    """A test report: what is as bad as the threshold failed, the rest is skipped."""
    suite = ET.Element("testsuite", name="cardwright breaking")
    for one in verdict.findings:
        word = "failure" if threshold is not None and one.level >= threshold else "skipped"
        _case(suite, one, word, one.message)
    for one, waiver in verdict.waived:
        _case(suite, one, "skipped", f"waived: {waiver.reason}")
    for stale in verdict.stale:
        word = "failure" if threshold is not None and threshold <= Level.WARN else "skipped"
        case = ET.SubElement(suite, "testcase", classname="waivers", name=stale.fingerprint)
        ET.SubElement(case, word, message=visible(f"waives nothing: {stale.reason}"))
    if not len(suite):
        ET.SubElement(suite, "testcase", classname="cardwright", name="breaking")
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("*/failure"))))
    suite.set("skipped", str(len(suite.findall("*/skipped"))))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True)


def _case(suite: ET.Element, one: Finding, word: str, message: str) -> None:
    name = f"{one.rule.id} {one.subject}".strip()
    case = ET.SubElement(suite, "testcase", classname=one.card, name=name)
    told = ET.SubElement(case, word, message=visible(message))
    told.text = "\n".join(_told(one))
