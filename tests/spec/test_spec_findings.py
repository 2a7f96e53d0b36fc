"""What the checks find beyond the example of each page: other ways to be wrong, or right."""

# ruff: noqa: E501 - a case reads best on one line

import pytest
from tests.spec.spec_texts import HEAD, TOOL, card, codes, findings, told, with_argument

from cardwright_generator.spec import load_specs

GUEST = "types:\n  Guest: {type: object, required: [name], properties: {name: {type: string}}}\n"
TONE = "fields:\n  tone: {type: string, default: warm, description: How.}\n"
STATE = (
    'types:\n  Mood: {base: context, class: "acme.hello.mood:Mood", type: object,'
    " required: [mood], properties: {mood: {type: string}}}\n"
)


def types(text: str) -> str:
    return f"{HEAD}types:\n  {text}\n"


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        ("{type: integer, minimum: 1, exclusiveMaximum: 1, description: x}", "CW405"),
        ("{type: number, exclusiveMinimum: 2, maximum: 2, description: x}", "CW405"),
        ("{type: string, minLength: 3, maxLength: 2, description: x}", "CW405"),
        ("{type: array, items: {type: string}, minItems: 3, maxItems: 2, description: x}", "CW405"),
        ("{type: number, exclusiveMinimum: 5, exclusiveMaximum: 5, description: x}", "CW405"),
        ("{type: integer, exclusiveMinimum: 5, exclusiveMaximum: 6, description: x}", "CW405"),
        ("{type: integer, exclusiveMinimum: 5, maximum: 5, description: x}", "CW405"),
        ("{type: integer, exclusiveMinimum: 5, exclusiveMaximum: 7, description: x}", None),
        ("{type: number, exclusiveMinimum: 5, exclusiveMaximum: 6, description: x}", None),
        ("{type: integer, minimum: 1, maximum: 1, description: x}", None),
        ('{type: string, pattern: "(", description: x}', "CW406"),
        ('{type: string, pattern: "[a-z]{2,}", description: x}', None),
        ("{enum: [1, true, '1'], description: x}", None),
        ("{enum: [1, 1], description: x}", "CW408"),
        ("{enum: [1.5], description: x}", "CW408"),
        ("{type: string, enum: [a, 1], description: x}", "CW408"),
        ("{type: [string, 'null'], enum: [a, null], description: x}", None),
        ("{const: null, description: x}", None),
        ("{type: integer, const: a, description: x}", "CW408"),
        ("{enum: [a], minLength: 1, description: x}", "CW422"),
        ("{anyOf: [{type: string}, {type: 'null'}], type: string, description: x}", "CW422"),
        ("{type: number, maximum: 1, exclusiveMaximum: 1, description: x}", "CW424"),
        ("{type: number, multipleOf: 0, description: x}", "CW423"),
        ("{type: string, truncate: 3, description: x}", "CW423"),
        ("{type: array, items: {type: array, items: {type: string}}, description: x}", "CW413"),
        ("{type: [string, integer], description: x}", "CW413"),
        ("{anyOf: [{type: string}, {type: integer}], description: x}", "CW413"),
        ("{type: object, additionalProperties: {type: string}, description: x}", "CW413"),
        ("{type: array, items: {type: object, properties: {}}, description: x}", "CW413"),
        ("{anyOf: [{type: array, items: {enum: [a]}}, {type: 'null'}], default: null, description: x}", None),
        ("{type: array, items: {type: [string, 'null']}, description: x}", None),
        ("{type: object, description: x}", "CW420"),
        ("{type: string, default: 3, description: x}", "CW407"),
        ("{type: string, default: null, description: x}", "CW407"),
        ("{type: integer, maximum: 3, default: 4, description: x}", "CW407"),
        ("{type: number, default: 4, description: x}", None),
        ("{type: integer, default: true, description: x}", "CW407"),
        ("{type: string, pattern: '^a', default: b, description: x}", "CW407"),
        ("{type: string, format: uuid, default: b, description: x}", "CW407"),
        ("{type: string, format: date, default: 2024-01-01, description: x}", None),
        ("{type: array, items: {type: integer}, default: [1, a], description: x}", "CW407"),
        ("{type: array, items: {type: integer}, default: [], minItems: 1, description: x}", "CW407"),
        ("{type: array, items: {type: integer}, maxItems: 1, default: [1, 2], description: x}", "CW407"),
    ],
)  # fmt: skip
def test_schemas(schema: str, code: str | None) -> None:
    assert codes(with_argument(schema)) == ([] if code is None else [code])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (types("A: {type: object, properties: {a: {type: string, auto: uuid}}}"), "CW419"),
        (types("A: {type: object, properties: {a: {type: string, format: uuid, auto: uuid, default: null}}}"), "CW407 CW419"),
        (types("A: {type: object, properties: {a: {type: string, format: uuid, auto: uuid}}}"), ""),
        (types("A: {type: object, required: [a], properties: {a: {type: string, format: uuid, auto: uuid}}}"), "CW425"),
        (types("A: {type: object, properties: {a: {type: object, properties: {}, default: null}}}"), "CW407 CW413"),
        (types("A: {type: object, properties: {a: {type: array, items: {type: string}, default: [[a]]}}}"), "CW407 CW411"),
        (types("A: {type: object}"), "CW420"),
        (types("A: {type: object, required: [a, a], properties: {a: {type: string}}}"), "CW409"),
        (types("A: {enum: [a], class: 'm:A'}"), "CW427"),
        (types('A: {$ref: "#/types/B"}\n  B: {$ref: "#/types/A"}'), "CW429 CW429"),
        (types('A: {anyOf: [{$ref: "#/types/A"}, {type: string}]}'), "CW429"),
        (types('A: {type: object, properties: {a: {anyOf: [{$ref: "#/types/A"}, {type: "null"}], default: null}}}'), ""),
        (types('A: {$ref: "http://x/y.yaml#/types/A"}'), "CW403"),
        (types('B: {$ref: "other.yaml#/types/A"}'), "CW402"),
        (types('A: {$ref: "hello.yaml#/types/B"}'), "CW402"),
        (HEAD + "fields:\n  a: {type: object, properties: {}, default: {}, description: x}\n", "CW413"),
        (HEAD + "fields:\n  a: {type: object, additionalProperties: {type: string}, default: {}, description: x}\n", ""),
        (HEAD + "fields:\n  a: {type: object, additionalProperties: {type: string}, default: {b: c}, description: x}\n", "CW411"),
        (HEAD + GUEST + 'fields:\n  a: {$ref: "#/types/Guest", default: {}, description: x}\n', "CW407"),
        (HEAD + 'fields:\n  a: {anyOf: [{type: integer}, {type: "null"}], secret: true, description: x}\n', "CW416"),
        (HEAD + 'fields:\n  a: {python: "pydantic:SecretStr", description: x}\n', ""),
        (HEAD + 'fields:\n  a: {python: "cardwright.core:ActorAddress", description: x}\n', ""),
        (HEAD + 'fields:\n  a: {python: "cardwright.actors:Akgent", description: x}\n', "CW415"),
        (HEAD + 'fields:\n  a: {python: "builtins:type", description: x}\n', ""),
        (HEAD + 'fields:\n  a: {python: "datetime:date", default: null, description: x}\n', "CW407"),
        (HEAD + 'fields:\n  a: {anyOf: [{python: "datetime:date"}, {type: "null"}], default: null, description: x}\n', ""),
        (card(endpoint=TOOL.replace("string", "array")), "CW420"),
        (card(endpoint=TOOL.replace("string", "{type: array}")), "CW420"),
        (card(endpoint=TOOL.replace("string", "{type: object, properties: {a: {type: string, default: b}}}")), "CW413"),
        (card(endpoint=TOOL.replace("string", '{$ref: "#/types/Nobody"}')), "CW402"),
    ],
)  # fmt: skip
def test_types_and_fields(text: str, code: str) -> None:
    assert sorted(codes(text)) == code.split()


def test_a_reference_to_a_card_is_told_what_shares_types() -> None:
    other = HEAD.replace("Hello", "Bye").replace("hello", "bye") + "types:\n  A: {enum: [a]}\n"
    files = {"hello.yaml": types('B: {$ref: "bye.yaml#/types/A"}'), "bye.yaml": other}
    (found,) = load_specs(files).diagnostics
    assert (found.code, found.hint) == (
        "CW402",
        "types are shared by a file that holds `types` only",
    )


def test_what_an_argument_reaches_in_other_files_is_told_at_the_reference() -> None:
    shared = (
        "types:\n  Outer: {type: object, required: [a], properties: {a: {$ref: '#/types/Inner', description: x}}}\n"
        "  Inner: {type: object, required: [b, c], properties: {b: {type: string}, c: {type: string, secret: true, description: x}}}\n"
    )
    text = with_argument('{$ref: "common.yaml#/types/Outer", description: Whom.}')
    assert told(text, common=shared) == [
        "12:17: CW417 argument 'who' of endpoint 'greet' is or holds a secret",
        (
            "12:17: CW502 property 'b' of type 'Inner', which argument 'who' of endpoint 'greet' reaches,"
            " has no description"
        ),
    ]


def test_recursion_through_a_shared_type() -> None:
    shared = (
        "types:\n  Tree: {type: object, properties: {parts: {type: array,"
        " items: {$ref: '#/types/Tree'}, default: [], description: x}}}\n"
    )
    text = with_argument('{$ref: "common.yaml#/types/Tree", description: Whom.}')
    assert codes(text, common=shared) == ["CW412"]


def test_a_command_may_reach_what_is_not_described_but_no_objects() -> None:
    text = with_argument(
        '{$ref: "#/types/Guest", description: Whom.}', top=GUEST, channels="command"
    )
    assert codes(text) == ["CW621"]
    internal = text.replace("channels: [command]", "channels: [command]\n        internal: true")
    assert codes(internal) == []


@pytest.mark.parametrize(
    ("endpoint", "code"),
    [
        ("channels: [command]\nstate: Mood\ndoc: x\nreturns: string\n", "CW601"),
        ("channels: [llm_context]\nstate: Mood\ndoc: x\n", "CW602"),
        ("channels: [llm_context]\nstate: Mood\nasync: true\n", "CW602"),
        ("channels: [llm_context]\nstate: Mood\nname: mood_state\n", ""),
        ("channels: [llm_context]\nstate: Moood\n", "CW603"),
        ("channels: [command]\ndoc: x\nrenders: greet\n", "CW606"),
        ("channels: [command]\ndoc: x\nreturns: string\nidempotency: read_only\n", "CW611"),
        ("channels: [command]\ndoc: x\nreturns: string\napproval: false\n", "CW611"),
        ("channels: [tool_call, command]\ndoc: x\nreturns: string\ninternal: true\n", "CW612"),
        ("channels: [system_prompt]\ndoc: x\nreturns: integer\n", "CW618"),
        ("channels: [system_prompt]\ndoc: x\n", "CW618"),
        ("channels: [system_prompt]\ndoc: x\nreturns: string\nasync: true\n", "CW618"),
        ('channels: [system_prompt]\ndoc: x\nreturns: {type: [string, "null"]}\n', "CW618"),
        ("channels: [system_prompt]\ndoc: x\nreturns: {type: string}\n", ""),
        ("channels: [command]\ndoc: x\n", "CW619"),
        ("channels: [command]\ndoc: x\nreturns: null\n", ""),
        ("channels: [tool_call]\ndoc: x\nreturns: string\ntimeout: -1\n", "CW620"),
    ],
)
def test_endpoints(endpoint: str, code: str) -> None:
    assert codes(card(top=STATE, endpoint=endpoint)) == code.split()


@pytest.mark.parametrize(
    ("arguments", "channels", "code"),
    [
        ("a: {type: integer, rest_of_line: true, description: x}", "command", "CW613"),
        ("a: {type: string, rest_of_line: true, description: x}", "tool_call, command", "CW613"),
        ('a: {type: string, rest_of_line: true, default: "", description: x}', "command", ""),
        (("a: {type: string, default: b, description: x}\n  c: {type: string, description: x}"
         "\n  d: {type: string, rest_of_line: true, description: x}"), "command", "CW613"),
        (("a: {type: string, description: x}\n  c: {type: string, default: b, description: x}"
         "\n  d: {type: string, rest_of_line: true, description: x}"), "command", ""),
        ("a: {type: array, items: {type: string}, default: [], description: x}", "command", ""),
        (("a: {type: string, default: b, when: loud, description: x}\n"
         "  c: {type: string, default: b, when: loud, description: x}"), "tool_call", "CW614"),
        ("a: {type: string, default_from: tone, when: loud, description: x}", "tool_call", ""),
        ("a: {type: string, default: b, description: x}\n  c: {type: string, description: x}", "tool_call", ""),
    ],
)  # fmt: skip
def test_arguments(arguments: str, channels: str, code: str) -> None:
    top = TONE + "  loud: {type: boolean, default: false, description: x}\n"
    endpoint = f"channels: [{channels}]\ndoc: x\narguments:\n  {arguments}\nreturns: string\n"
    assert codes(card(top=top, endpoint=endpoint)) == code.split()


@pytest.mark.parametrize(
    ("capability", "code"),
    [
        ("expose: [tool_call, tool_call]\n", "CW610"),
        ("expose: []\n", ""),
        ("migrate: {expose: [{from: tool_call, to: tool_call}]}\n", "CW617"),
        ("migrate: {tone: [{from: null, to: warm}]}\nconfig:\n  tone: {enum: [warm, cool], default: warm, description: x}\n", ""),
        ("migrate: {tone: [{from: cool, to: warm}]}\nconfig:\n  tone: {enum: [warm, cool], default: warm, description: x}\n", "CW617"),
        ("migrate: {tone: [{from: hot, to: mild}]}\nconfig:\n  tone: {enum: [warm, cool], default: warm, description: x}\n", "CW617"),
        ("failures: [away, away]\n", "CW622"),
        ("failures: [away]\ndefault: required\nconfig:\n  word: {type: string, description: x}\n", ""),
        ("failures: [away]\nconfig:\n  word: {type: string, description: x}\n", "CW624"),
    ],
)  # fmt: skip
def test_capabilities(capability: str, code: str) -> None:
    top = "failures:\n  away: {surfaces: text, when: nobody is there}\n"
    assert codes(card(top=top, capability=capability)) == code.split()


@pytest.mark.parametrize(
    ("when", "code"),
    [
        ("loud", ""),
        ("not loud", ""),
        ("greet.volume", ""),
        ("volume", ""),
        ("shout", ""),
        ("not  loud", "CW705"),
        ("Not loud", "CW705"),
        ("loud and clear", "CW705"),
        ("greet.loud", "CW701"),
        ("nobody.loud", "CW701"),
        ("tone", "CW706"),
        ('" "', "CW504"),
    ],
)
def test_conditions(when: str, code: str) -> None:
    top = TONE + "  loud: {type: boolean, default: false, description: x}\n"
    capability = f'when: {when}\nconfig:\n  volume: {{type: [integer, "null"], default: null, description: x}}\n'
    shout = "  shout:\n    param: Shout\n    endpoints:\n      shout: {channels: [command], doc: Shout., returns: string}\n"
    assert codes(card(top=top, capability=capability) + shout) == code.split()


@pytest.mark.parametrize(
    ("doc", "code"),
    [
        ("In a {tone} voice.", ""),
        ("In a {greet.volume} voice.", ""),
        ("{{tone}} and }} and {{", ""),
        ("In a {tone|volume} voice.", "CW704"),
        ("In a {tone!r} voice.", "CW704"),
        ("In a {} voice.", "CW704"),
        ("In a { tone } voice.", "CW704"),
        ("In a tone} voice.", "CW704"),
        ("In a {tone voice.", "CW704"),
        ("In a {tonne} voice.", "CW701"),
        ("In a {greet} voice.", "CW707"),
        ("For {team_id}.", "CW701"),
    ],
)
def test_braces(doc: str, code: str) -> None:
    capability = 'config:\n  volume: {type: [integer, "null"], default: null, description: x}\n'
    endpoint = f'channels: [tool_call]\ndoc: "{doc}"\nreturns: string\n'
    assert codes(card(top=TONE, capability=capability, endpoint=endpoint)) == code.split()


@pytest.mark.parametrize(
    ("source", "target", "fits"),
    [
        ("type: integer", "type: integer", True),
        ("type: integer", "type: number", True),
        ("type: number", "type: integer", False),
        ("type: integer", "type: [integer, 'null']", True),
        ("type: [integer, 'null']", "type: integer", False),
        ("enum: [a, b]", "type: string", True),
        ("enum: [a, b]", "enum: [b, a, c]", True),
        ("enum: [a, b]", "enum: [a]", False),
        ("type: string", "enum: [a, b]", False),
        ("$ref: '#/types/Mood'", "enum: [fine, tired]", True),
        ("$ref: '#/types/Mood'", "$ref: '#/types/Mood'", True),
        ("$ref: '#/types/Guest'", "$ref: '#/types/Guest'", True),
        ("$ref: '#/types/Guest'", "$ref: '#/types/Other'", False),
        ("type: array, items: {type: string}", "type: array, items: {type: string}", True),
        ("type: array, items: {type: string}", "type: array, items: {type: integer}", False),
        ("anyOf: [{type: string}, {type: 'null'}]", "type: ['null', string]", True),
    ],
)
def test_defaults_from_configuration(source: str, target: str, fits: bool) -> None:
    named = (
        "types:\n  Mood: {enum: [fine, tired]}\n"
        "  Guest: {type: object, properties: {a: {type: string, default: b, description: x}}}\n"
        "  Other: {type: object, properties: {a: {type: string, default: b, description: x}}}\n"
    )
    capability = f"default: required\nconfig:\n  it: {{{source}, description: x}}\n"
    text = with_argument(f"{{{target}, default_from: it, description: x}}", named, capability)
    assert codes(text) == ([] if fits else ["CW703"])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('actors:\n  host: {name: "#"}\n', "CW709"),
        ('actors:\n  host: {name: "#Host-{tone}"}\n', ""),
        ('actors:\n  host: {name: "#Host-{tone|team_id}"}\n', "CW716"),
        ('actors:\n  host: {name: "#Host-{team_id|tone}"}\n', "CW716"),
        ('  mood: {type: [string, "null"], default: null, description: x}\nactors:\n  host: {name: "#Host-{mood|tone}"}\n', ""),
        ('actors:\n  host: {name: "#Host-{nobody|team_id}"}\n', "CW701"),
        ('actors:\n  host: {name: "{tone}"}\n', "CW709"),
        ('actors:\n  host: {name: "#Host{"}\n', "CW704"),
        ('actors:\n  host: {name: "#Host", when: tone}\n', "CW706"),
        ('observer: none\nactors:\n  host: {name: "#Host"}\n', "CW710"),
        ('observer: {name: Listener, extends: tool, members: {hear: {returns: string}}}\nactors:\n  host: {name: "#Host"}\n', "CW710"),
        ('observer: {name: Listener, members: {hear: {returns: string}}}\nactors:\n  host: {name: "#Host"}\n', ""),
        ("depends_on: [{card: HelloTool}]\n", "CW805"),
    ],
)  # fmt: skip
def test_declarations(text: str, code: str) -> None:
    assert codes(card(top=TONE + text)) == code.split()


def test_the_name_of_an_actor_may_come_from_a_field_that_starts_with_the_mark() -> None:
    field = 'fields:\n  store: {type: string, pattern: "^#.", default: "#S", description: x}\n'
    assert codes(HEAD + field + 'actors:\n  host: {name: "{store}"}\n') == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (card(endpoint=TOOL + "timeout:\n"), "CW206"),
        (with_argument("{type: string, description: }"), "CW206"),
        (with_argument("{type: string, default: , description: x}"), "CW407"),
        (with_argument('{type: [string, "null"], default: , description: x}'), ""),
        (with_argument("{const: null, description: x}"), ""),
        (HEAD + "environment: {A: {default: null, description: x}}\n", ""),
        (HEAD + "description:\n", "CW206"),
        (HEAD + "deprecated:\n", "CW206"),
        (HEAD + "types: {A: {type: object, properties: }}\n", "CW206"),
        (HEAD + "actors: {host: {name: #Host\n}}\n", "CW203"),
    ],
)
def test_keys_without_values(text: str, code: str) -> None:
    assert sorted(codes(text)) == code.split()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("summary: a: b\n", "put a text that holds `: ` in quotes"),
        ("summary: @a\n", "put the text in quotes"),
        ("summary: *a\n", "put a text that starts with `*` in quotes"),
    ],
)
def test_common_slips_of_yaml_have_hints(text: str, hint: str) -> None:
    assert [one.hint for one in findings(text)] == [hint]
