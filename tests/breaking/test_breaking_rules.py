"""Every rule: its example is a pair of right specs, it is found, and its mirror the other way."""

from functools import cache

import pytest
from tests.breaking.test_breaking_refactors import CARD

from cardwright_generator.breaking import Rule, Side, all_rules, compare, rule_of
from cardwright_generator.breaking.examples import versions
from cardwright_generator.breaking.explaining import page_of_rule
from cardwright_generator.breaking.loading import side_of
from cardwright_generator.breaking.rule import Category, Level, Step
from cardwright_generator.breaking.rules import UnknownRuleError
from cardwright_generator.spec import ParsedFile, check_file, parse_file
from cardwright_generator.spec.checking import neighbours

RULES = list(all_rules())


@cache
def parsed(path: str, text: str) -> ParsedFile:
    file = parse_file(path, text)
    around = neighbours([file, parse_file("specs/common.yaml", _common(text))])
    wrong = [one for one in check_file(file, around) if one.severity == "error"]
    assert wrong == []
    return file


def _common(text: str) -> str:
    """Shared types that a card of the examples may refer to."""
    return text if text.startswith("types:") else "types:\n  Street: {type: string}\n"


def side(texts: dict[str, str]) -> Side:
    files = {path: parsed(path, text) for path, text in texts.items()}
    return Side(files, frozenset(files))


@pytest.mark.parametrize("name", RULES)
def test_a_rule_finds_its_example_and_its_mirror_the_opposite(name: str) -> None:
    rule = rule_of(name)
    before, after = (side(texts) for texts in versions(rule))
    found = {one.rule.id for one in compare(before, after)}
    assert name in found
    back = {one.rule.id for one in compare(after, before)}
    assert back & set(rule.mirrors)
    assert compare(before, before) == ()


def test_every_rule_says_what_why_and_how() -> None:
    for rule in all_rules().values():
        says_what_why_and_how(rule)


def says_what_why_and_how(rule: Rule) -> None:
    name = rule.id
    page = page_of_rule(name)
    assert page.startswith(f"# {name}: {rule.purpose}\n")
    assert rule.purpose.endswith(".")
    assert rule.purpose.count(". ") == 0
    assert f"Category {rule.category}, level {rule.level.name}" in page
    assert "\n**Why it matters.** " in page
    before, _, after = page.partition("\n## After\n")
    assert "```yaml\n" in before + after
    assert rule.mirrors
    assert set(rule.mirrors) <= all_rules().keys()


def test_mirrors_agree_about_each_other() -> None:
    lonely = [
        (rule.id, mirror)
        for rule in all_rules().values()
        for mirror in rule.mirrors
        if not set(rule_of(mirror).mirrors) & {rule.id, *rule.mirrors}
        and "renamed" not in rule.id
        and not rule_of(mirror).id.endswith("-removed")
        and mirror != "type-added"
    ]
    assert lonely == []


def test_what_loosens_is_never_worse_than_what_tightens() -> None:
    for use in ("argument", "command", "field", "stored", "state"):
        for tight, loose in (("bound-tightened", "bound-loosened"), ("removed", "added")):
            assert rule_of(f"{use}-{tight}").level > rule_of(f"{use}-{loose}").level
    assert rule_of("result-choice-added").level > rule_of("result-choice-removed").level


def test_errors_ask_for_a_major_version_and_words_for_a_patch() -> None:
    for rule in all_rules().values():
        if rule.level is Level.ERR:
            assert rule.asks_for is Step.MAJOR, rule.id
        if rule.id.endswith(("description-changed", "doc-changed", "summary-changed")):
            assert rule.asks_for is Step.PATCH, rule.id
    assert {rule.category for rule in all_rules().values()} == set(Category)


def test_an_unknown_rule_is_told_what_is_near() -> None:
    with pytest.raises(UnknownRuleError, match="did you mean 'argument-removed'"):
        rule_of("argument-removd")
    assert rule_of(" Argument-Removed ").id == "argument-removed"


def test_a_tool_that_is_none_any_more_is_told_once() -> None:
    """What belongs to tools only leaves with the channel and is no change of its own."""
    old = side_of({"specs/weather.yaml": CARD})
    gone = CARD.replace("channels: [tool_call, command]", "channels: [command]", 1)
    new = side_of({"specs/weather.yaml": gone.replace("        idempotency: read_only\n", "", 1)})
    assert [one.rule.id for one in compare(old, new)] == ["channel-removed"]
    assert [one.rule.id for one in compare(new, old)] == ["channel-added"]


def test_findings_of_a_renamed_card_bear_its_name_of_today() -> None:
    old = side_of({"specs/weather.yaml": CARD})
    renamed = CARD.replace("card: WeatherTool", "card: SkyTool\nrenamed_from: WeatherTool")
    new = side_of(
        {
            "specs/sky.yaml": renamed.replace(
                "days: {type: integer, default", "ahead: {type: integer, default"
            )
        }
    )
    found = compare(old, new)
    assert {"card-renamed", "argument-removed"} <= {one.rule.id for one in found}
    assert {one.card for one in found} == {"SkyTool"}
