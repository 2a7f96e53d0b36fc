"""Checks across cards need small facts only, which can be stored: one change costs one spec."""

import json
import random
import sys
from pathlib import Path

import pytest
from tests.spec.spec_texts import HEAD, TOOL, card, with_argument

from cardwright_generator.spec import (
    CardFacts,
    UnknownCatalogueError,
    check_file,
    cross_check,
    facts_of,
    installed_specs,
    load_specs,
    neighbours,
    parse_file,
)


def named(name: str, text: str) -> str:
    return text.replace("HelloTool", f"{name}Tool").replace("Hello", name)


def facts(path: str, text: str) -> CardFacts:
    return facts_of(parse_file(path, text))


def test_facts_survive_json() -> None:
    text = card(
        top="""
            renamed_from: HiTool
            depends_on: [{card: XTool, optional: true}]
            types: {A: {enum: [a]}}
            """,
        endpoint="name: hail\n" + TOOL.replace("[tool_call]", "[tool_call, command]"),
    )
    found = facts("hello.yaml", text)
    again = CardFacts.from_json(json.loads(json.dumps(found.as_json())))
    assert again == found
    assert [(one.channel, one.name, one.endpoint, one.place) for one in found.names] == [
        ("tool_call", "hail", "greet", (13, 15)),
        ("command", "hail", "greet", (13, 15)),
    ]
    assert (found.types, found.renamed_from) == (("A",), "HiTool")


def test_shared_types_have_no_facts() -> None:
    with pytest.raises(ValueError, match=r"common\.yaml holds no card"):
        facts_of(parse_file("common.yaml", "types: {A: {enum: [a]}}\n"))


def test_stored_facts_tell_the_same_as_files() -> None:
    files = {"bye.yaml": named("Bye", card()), "hello.yaml": card()}
    whole = load_specs(files).diagnostics
    stored = [facts(path, text).as_json() for path, text in files.items()]
    assert cross_check(CardFacts.from_json(one) for one in stored) == whole
    assert [one.code for one in whole] == ["CW803"]


def test_the_order_of_files_makes_no_difference() -> None:
    files = {f"c{index}.yaml": named(f"C{index % 3}", card()) for index in range(9)}
    expected = load_specs(files)
    for seed in range(5):
        shuffled = list(files.items())
        random.Random(seed).shuffle(shuffled)
        assert load_specs(dict(shuffled)) == expected


def test_installed_cards_count_but_are_not_blamed() -> None:
    there = {"acme_cards/bye.yaml": named("Bye", card()), "acme_cards/broken.yaml": "card: 1\n"}
    hello = {"hello.yaml": card(top="depends_on: [{card: ByeTool}]\n")}
    catalogue = load_specs(hello, installed=there)
    assert [one.path for one in catalogue.cards] == ["hello.yaml"]
    found = catalogue.diagnostics
    assert [(one.file, one.code) for one in found] == [("hello.yaml", "CW803")]
    assert "(acme_cards/bye.yaml:8)" in found[0].message


def test_types_of_installed_catalogues_are_reached_by_their_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    specs = tmp_path / "acme_cards" / "specs"
    specs.mkdir(parents=True)
    (tmp_path / "acme_cards" / "__init__.py").write_text("raise RuntimeError\n", encoding="utf-8")
    (specs / "common.yaml").write_text(
        "types: {Mood: {$ref: 'words.yaml#/types/Word'}}\n", encoding="utf-8"
    )
    (specs / "words.yaml").write_text("types: {Word: {enum: [fine]}}\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    installed = installed_specs(["acme_cards"])
    assert list(installed) == ["acme_cards/common.yaml", "acme_cards/words.yaml"]
    text = with_argument(
        '{$ref: "acme_cards/common.yaml#/types/Mood", default: fine, description: How.}'
    )
    assert load_specs({"specs/hello.yaml": text}, installed=installed).diagnostics == ()
    wrong = text.replace("default: fine", "default: tired")
    found = load_specs({"specs/hello.yaml": wrong}, installed=installed).diagnostics
    assert [one.code for one in found] == ["CW407"]
    missing = load_specs({"specs/hello.yaml": text}).diagnostics
    assert [one.code for one in missing] == ["CW402"]


def test_a_catalogue_that_is_not_installed() -> None:
    for name in ("acme_nowhere", "acme.nowhere", "../acme"):
        with pytest.raises(UnknownCatalogueError, match="is not installed in this environment"):
            installed_specs([name])


def test_a_name_may_be_served_on_two_channels_by_two_cards() -> None:
    files = {
        "bye.yaml": named("Bye", card(endpoint=TOOL.replace("tool_call", "command"))),
        "hello.yaml": card(),
    }
    assert load_specs(files).diagnostics == ()


def test_three_cards_of_one_name_are_two_faults() -> None:
    files = {"a/hello.yaml": HEAD, "b/hello.yaml": HEAD, "c/hello.yaml": HEAD}
    found = load_specs(files).diagnostics
    assert [(one.file, one.code, one.message) for one in found] == [
        ("b/hello.yaml", "CW801", "card 'HelloTool' is already declared in a/hello.yaml"),
        ("c/hello.yaml", "CW801", "card 'HelloTool' is already declared in a/hello.yaml"),
    ]


def test_a_circle_is_told_once_and_a_diamond_not_at_all() -> None:
    def depending(name: str, *cards: str) -> str:
        listed = ", ".join(f"{{card: {one}Tool}}" for one in cards)
        return named(name, HEAD) + f"depends_on: [{listed}]\n"

    circle = {
        "a.yaml": depending("A", "B"),
        "b.yaml": depending("B", "C"),
        "c.yaml": depending("C", "A"),
    }
    (found,) = load_specs(circle).diagnostics
    assert found.message == "the cards depend on each other: ATool -> BTool -> CTool -> ATool"
    diamond = circle | {"a.yaml": depending("A", "B", "C"), "c.yaml": named("C", HEAD)}
    assert load_specs(diamond).diagnostics == ()


def test_long_chains_of_cards_and_types_are_walked_to_their_end() -> None:
    def chained(index: int) -> str:
        return named(f"C{index}X", HEAD) + f"depends_on: [{{card: C{(index + 1) % 1200}XTool}}]\n"

    found = load_specs({f"c{index}_x.yaml": chained(index) for index in range(1200)}).diagnostics
    assert [one.code for one in found] == ["CW805"]
    links = "".join(
        f"  T{index}: {{type: object, required: [a], properties:"
        f" {{a: {{$ref: '#/types/T{index + 1}', description: x}}}}}}\n"
        for index in range(1200)
    )
    last = "  T1200: {type: object, required: [a], properties: {a: {type: string}}}\n"
    text = with_argument('{$ref: "#/types/T0", description: x}', f"types:\n{links}{last}")
    assert [one.code for one in load_specs({"hello.yaml": text}).diagnostics] == ["CW502"]


def test_files_of_shared_types_do_not_refer_to_each_other_in_circles() -> None:
    files = {
        "a.yaml": "types: {A: {$ref: 'b.yaml#/types/B'}}\n",
        "b.yaml": "types: {B: {enum: [b]}, C: {$ref: 'c.yaml#/types/C'}}\n",
        "c.yaml": "types: {C: {enum: [c]}, A: {$ref: 'a.yaml#/types/A'}}\n",
    }
    found = load_specs(files).diagnostics
    assert {(one.file, one.code) for one in found} >= {(f"{name}.yaml", "CW432") for name in "abc"}
    assert (
        load_specs(files | {"c.yaml": "types: {Z: {enum: [c]}, C: {enum: [c]}}\n"}).diagnostics
        != ()
    )


def test_a_file_is_checked_alone_with_its_neighbours() -> None:
    shared = parse_file("common.yaml", "types:\n  Mood: {enum: [fine]}\n")
    text = with_argument('{$ref: "common.yaml#/types/Mood", description: How.}')
    hello = parse_file("hello.yaml", text)
    assert check_file(hello, [hello, shared]) == ()
    assert check_file(hello, neighbours([shared])) == ()
    assert [one.code for one in check_file(hello, [])] == ["CW402"]


def synthetic(index: int) -> str:
    """A spec of about sixty lines."""
    capabilities = "".join(
        f"""  act_{index}_{number}:
    param: Act{number}
    config:
      limit: {{type: integer, minimum: 1, default: 10, description: Results at most.}}
    endpoints:
      act_{index}_{number}:
        channels: [tool_call, command]
        doc: Do it, at most {{limit}} times.
        arguments:
          text: {{type: string, minLength: 1, description: What to do.}}
          limit: {{type: integer, default_from: limit, description: Results at most.}}
        returns: string
        idempotency: read_only
    failures: [gone]
"""
        for number in range(4)
    )
    return (
        f"card: C{index}XTool\nsummary: Does things.\nlogic: acme.c{index}:Logic\n"
        "failures:\n  gone: {surfaces: retry, when: it is gone}\n"
        f"capabilities:\n{capabilities}"
    )


def test_three_hundred_specs_load_clean() -> None:
    files = {f"specs/c{index}_x.yaml": synthetic(index) for index in range(300)}
    found = load_specs(files)
    assert (len(found.cards), found.diagnostics) == (300, ())


def test_one_changed_spec_is_checked_against_the_facts_of_the_others() -> None:
    parsed = [parse_file(f"specs/c{index}_x.yaml", synthetic(index)) for index in range(300)]
    stored = [facts_of(one).as_json() for one in parsed[1:]]
    changed = parse_file("specs/c0_x.yaml", synthetic(0))
    found = check_file(changed, [])
    found += cross_check([facts_of(changed), *map(CardFacts.from_json, stored)])
    assert found == ()
