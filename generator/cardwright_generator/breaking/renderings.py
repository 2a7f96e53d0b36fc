"""A verdict for people, for programs, for GitHub's annotations and for test reports."""

import json
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from .finding import Finding, Spot
from .rule import Level
from .verdict import Verdict

_SEVERITY = {Level.ERR: "error", Level.WARN: "warning", Level.INFO: "notice"}


def render_text(verdict: Verdict) -> str:
    """Findings with their places, then what they amount to."""
    lines = [line for one in verdict.findings for line in _told(one)]
    for one, waiver in verdict.waived:
        lines.append(f"{place(one)}: waived {one.rule.id} {one.message}")
        lines.append(f"  = {one.fingerprint}: {waiver.reason}")
    lines += [
        f"pyproject.toml: stale waiver {waiver.fingerprint} ({waiver.reason}): nothing is found"
        " that it waives, take it out"
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
        return f"nothing changed for anybody since {verdict.against}"
    counts = [
        f"{number} {level.name}"
        for level in sorted(Level, reverse=True)
        if (number := sum(one.level is level for one in verdict.findings))
    ]
    counts += [f"{len(verdict.waived)} waived"] if verdict.waived else []
    return (
        f"{', '.join(counts)} since {verdict.against}; version step: {verdict.step.name.lower()}"
        " (`cardwright explain RULE` says more)"
    )


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


def render_github(verdict: Verdict) -> str:
    """Workflow commands that GitHub shows as annotations, one per line."""
    lines = [_command(one) for one in verdict.findings]
    lines += [
        f"::warning file=pyproject.toml,title=stale waiver::{waiver.fingerprint} waives nothing"
        for waiver in verdict.stale
    ]
    return "\n".join(lines)


def _command(one: Finding) -> str:
    spot = one.after or one.before or Spot(one.card, 1, 1)
    where = f"file={_property(spot.file)},line={spot.line},col={spot.column}"
    title = f"{one.category} {one.rule.id} ({one.fingerprint})"
    return f"::{_SEVERITY[one.level]} {where},title={_property(title)}::{_data(one.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def render_junit(verdict: Verdict, threshold: Level | None) -> str:
    """A test report: what is as bad as the threshold failed, the rest is skipped."""
    failed = [one for one in verdict.findings if threshold is not None and one.level >= threshold]
    suite = ET.Element("testsuite", name="cardwright breaking")
    suite.set("tests", str(len(verdict.findings) or 1))
    suite.set("failures", str(len(failed)))
    suite.set("skipped", str(len(verdict.findings) - len(failed)))
    if not verdict.findings:
        ET.SubElement(suite, "testcase", classname="cardwright", name="breaking")
    for one in verdict.findings:
        name = f"{one.rule.id} {one.subject}".strip()
        case = ET.SubElement(suite, "testcase", classname=one.card, name=name)
        word = "failure" if one in failed else "skipped"
        told = ET.SubElement(case, word, message=one.message)
        told.text = "\n".join(_told(one))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True)
