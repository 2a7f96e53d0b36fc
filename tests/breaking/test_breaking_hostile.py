"""Texts of specs, references and waivers that try to be more than text in what people read."""

from collections.abc import Callable
from typing import cast
from xml.etree import ElementTree as ET

import pytest
import yaml
from markdown_it import MarkdownIt
from tests.breaking.test_breaking_refactors import CARD

from cardwright_generator.breaking import Level, Sides, Verdict, compare, judge
from cardwright_generator.breaking.loading import side_of
from cardwright_generator.breaking.renderings import (
    render_github,
    render_junit,
    render_text,
)
from cardwright_generator.breaking.report import render_report
from cardwright_generator.spec.visible import visible
from cardwright_generator.waivers import Waiver

EVIL = (
    "x|y\\|z <img src=x> `</td>` ]]> &amp; @team #1 [l](http://e.invalid) \x1b[31mred\x07"
    "\r\n::error::boo\n\n```\n\n| a | b |\n# head\n%0A::stop-commands::x\u202e\u2028\x00\x85"
)
PATH = "specs/weather.yaml"
OBEYED = {"\x1b", "\x07", "\x00", "\x85", "\u202e", "\u2028"}


def side(text: str) -> str:
    """The card with a text wherever the model or a person reads one."""
    spec = yaml.safe_load(CARD)
    spec["summary"] = spec["description"] = text
    for capability in spec["capabilities"].values():
        for endpoint in capability["endpoints"].values():
            endpoint["doc"] = text
            for argument in endpoint.get("arguments", {}).values():
                argument["description"] = text
    dump = cast("Callable[..., str]", yaml.safe_dump)  # pyright: ignore[reportUnknownMemberType] - its stubs are partial
    return dump(spec)


@pytest.fixture(scope="module")
def sides() -> Sides:
    return Sides(side_of({PATH: side("plain")}), side_of({PATH: side(EVIL)}), "HEAD")


@pytest.fixture(scope="module")
def verdict(sides: Sides) -> Verdict:
    found = compare(sides.old, sides.new)
    assert len(found) > 3
    waivers = [Waiver(found[0].fingerprint, EVIL), Waiver("0123456789ab", EVIL)]
    return judge(found, waivers, "HEAD")


def test_nothing_that_a_terminal_obeys_is_printed(sides: Sides, verdict: Verdict) -> None:
    for text in (render_text(verdict), render_report(sides, verdict), render_github(verdict)):
        assert not OBEYED & set(text)
    assert "\\x1b[31mred" in render_text(verdict)


def test_annotations_are_one_command_a_line(verdict: Verdict) -> None:
    lines = render_github(verdict).split("\n")
    assert len(lines) == len(verdict.findings) + len(verdict.stale)
    assert all(line.startswith(("::notice file=", "::warning file=")) for line in lines)


def test_junit_is_xml_that_counts_waivers_and_stale_ones(verdict: Verdict) -> None:
    suite = ET.fromstring(render_junit(verdict, Level.WARN))
    cases = suite.findall("testcase")
    assert len(cases) == len(verdict.findings) + 2
    assert suite.get("tests") == str(len(cases))
    stale = next(one for one in cases if one.get("classname") == "waivers")
    assert [child.tag for child in stale] == ["failure"]
    assert verdict.fails(Level.WARN)
    assert suite.get("failures") == "1"
    mild = ET.fromstring(render_junit(verdict, Level.ERR))
    assert mild.get("failures") == "0"
    assert not verdict.fails(Level.ERR)


def test_texts_in_the_report_are_no_markup(sides: Sides, verdict: Verdict) -> None:
    shown = render_report(sides, verdict)
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(shown)
    inner = [child.type for one in tokens for child in one.children or []]
    assert not {"html_inline", "link_open", "image"} & set(inner)
    assert "html_block" not in {one.type for one in tokens}
    rows = sum(one.type == "tr_open" for one in tokens)
    cells = sum(one.type in {"td_open", "th_open"} for one in tokens)
    findings = len(verdict.findings)
    tables = sum(one.type == "table_open" for one in tokens)
    assert rows > findings
    assert cells == 6 * (findings + tables - 1) + 5 * (rows - findings - tables + 1)
    outside = [
        child.content for one in tokens for child in one.children or [] if child.type == "text"
    ]
    assert not [text for text in outside if "@team" in text or "#1" in text]


def test_letters_of_every_script_stay_as_they_are() -> None:
    assert visible("naïve 日本語 नमस्ते 👩‍💻 «ok»") == "naïve 日本語 नमस्ते 👩‍💻 «ok»"
    assert visible("a\ud800b\n") == "a\\ud800b\\n"
