"""Dead parts of a spec are found, and nothing that is used is called dead."""

# ruff: noqa: E501 - one case is one line

import re
from collections.abc import Callable
from pathlib import Path
from textwrap import indent

import pytest

from cardwright_generator.check.dead import dead_parts
from cardwright_generator.check.dead.suspects import Suspects
from cardwright_generator.check.finding import Finding
from cardwright_generator.check.modules import Modules
from cardwright_generator.commands.pages import page_of
from cardwright_generator.model.obligations import obligations
from cardwright_generator.project import Project, find_project
from cardwright_generator.spec.language import CardSpec
from cardwright_generator.spec.parsing import parse_file

type Make = Callable[..., Project]

CODES = ("CW921", "CW922", "CW923", "CW924", "CW925")
SPEC = """\
card: HelloTool
summary: Greets people.
logic: acme.hello.logic:HelloLogic
observer: actor
fields:
  tone: {type: string, default: kind, description: Tone of all greetings.}
types:
  Greeted: {description: A greeting., type: object, properties: {}}
actors:
  guests: {name: "#Guests", class: "acme.hello.actor:GuestsActor"}
capabilities:
  greet:
    param: Greet
    config:
      word: {type: string, default: Hello, description: First word.}
    endpoints:
      greet:
        channels: [tool_call]
        doc: Greet somebody.
        arguments: {name: {type: string, description: Who is greeted.}}
        returns: string
"""
HEAD = """\
from dataclasses import dataclass
from typing import cast, final, override
from acme_cards.hello import Greet, HelloTool
from acme_cards.hello.contract import HelloContract
from acme.hello import helpers
from .actor import GuestsActor, GuestsConfig
from .helpers import Holder, Pair, both, first_word, tone_of
TONE = "tone"
WORD: str = "word"
EITHER = "tone"
if GuestsActor:
    EITHER = "word"
"""
HELPERS = """\
from dataclasses import dataclass
from typing import NamedTuple

def tone_of(logic):
    return logic.card.tone

def first_word(config, *, upper=False):
    return config.word

def both(card, config):
    return f"{card.tone} {config.word}"

class Holder:
    def __init__(self, logic, config):
        self._logic, self._config = logic, config

    def text(self):
        return self._tone + self._config.word

    @property
    def _tone(self):
        return self._logic.card.tone

    @classmethod
    def of(cls, card, config):
        return card.tone + config.word

@dataclass
class Pair:
    card: object
    config: object = None

    def text(self):
        return self.card.tone + self.config.word
"""
ACTOR = """\
from cardwright.actors import Akgent, BaseConfig, BaseState

class GuestsConfig(BaseConfig):
    card: object
    param: object

class GuestsActor(Akgent[GuestsConfig, BaseState]):
    def on_start(self):
        self._tone = self.config.card.tone

    def greet(self, param):
        return param.word

    def first(self):
        return self.config.param.word
"""


def findings(make: Make, spec: str, files: dict[str, str]) -> list[Finding]:
    """What is dead in a project of one spec; nothing is generated for it."""
    project = make(
        {"hello": spec}, {f"src/acme/hello/{name}.py": text for name, text in files.items()}
    )
    parsed = parse_file("specs/hello.yaml", spec)
    assert isinstance(parsed.spec, CardSpec), parsed.faults
    code = obligations(parsed.spec, "acme_cards")
    return list(dead_parts(project, "specs/hello.yaml", code, Modules(project)))


def dead(make: Make, logic: str, spec: str = SPEC, **files: str) -> list[str]:
    """Messages about a logic with this body."""
    body = f"{HEAD}\n@final\nclass HelloLogic(HelloContract):\n{indent(logic, '    ')}\n"
    given = {"helpers": HELPERS, "actor": ACTOR, "logic": body} | files
    return [one.message for one in findings(make, spec, given)]


def greet(body: str) -> str:
    return f"@override\ndef greet(self, config, *, name):\n{indent(body, '    ')}\n"


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("part", ["Refused", "Accepted"])
def test_the_examples_of_the_rulebook_say_the_truth(code: str, part: str, make: Make) -> None:
    section = page_of(code).partition(f"\n## {part}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```(\w+) ?(\w*)\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    (spec,) = (text for kind, _, text in blocks if kind == "yaml")
    files = {name or "logic": text for kind, name, text in blocks if kind == "python"}
    found = [one.code for one in findings(make, spec, files)]
    assert found == ([code] if part == "Refused" else [])


READS = {
    "attributes": greet("return self.card.tone + config.word"),
    "through the card": greet("return self.card.tone + self.card.greet.word"),
    "getattr with a name": greet('return getattr(config, "word", "") + getattr(self.card, "tone")'),
    "getattr with a variable": greet("return getattr(self.card, name)"),
    "getattr with a constant": greet("return getattr(self.card, TONE) + getattr(config, WORD)"),
    "getattr with what is no constant": greet("return getattr(self.card, EITHER) + getattr(config, EITHER)"),
    "a partial call": greet("return partial(both, self.card)(config)"),
    "variables": greet("c = config\nd = self.card\ne = d\nreturn c.word + e.tone"),
    "a walrus": greet("return (c := config).word + (d := self.card).tone"),
    "unpacking": greet("a, (b, *_) = config, (self.card, 1)\nreturn a.word + b.tone"),
    "a loop over a tuple": greet("for one in (config, self.card):\n    one.word + one.tone"),
    "a comprehension": greet("return [c.word + d.tone for c in [config] for d in [self.card]]"),
    "a choice": greet("c = config if name else self.card\nreturn c.word + (None or self.card).tone"),
    "a lambda": greet("return lambda: self.card.tone + config.word"),
    "the default of a lambda": greet("return lambda c=config: c.word + self.card.tone"),
    "the width of a format": greet("return f'{config.word:>{len(self.card.tone)}}'"),
    "a function inside": greet("def text(c):\n    return c.word + self.card.tone\nreturn text(config)"),
    "match": greet("match config:\n    case Greet(word=w): pass\nmatch self.card:\n    case HelloTool(tone=t): pass"),
    "with": greet("with config as c:\n    return c.word + self.card.tone"),
    "await": greet("return await self.card.tone, config.word"),
    "a private method": greet("return self._text(config)") + "def _text(self, c):\n    return c.word + self.card.tone\n",
    "a method handed on": greet("run(self._text, config)") + "def _text(self, c):\n    return self.card.tone\n",
    "a property": greet("return self._tone + config.word")
    + "@property\ndef _tone(self):\n    return self._card_.tone\n@property\ndef _card_(self):\n    return self.card\n",
    "an attribute of the logic": "@override\ndef bind(self):\n    self._kept = self.card\n" + greet("return self._kept.tone + config.word"),
    "helpers": greet("return tone_of(self) + first_word(config, upper=True)"),
    "helpers by module": greet("return helpers.both(self.card, config=config)"),
    "an object of the package": greet("return Holder(self, config).text()"),
    "a class method": greet("return Holder.of(self.card, config)"),
    "a dataclass": greet("return Pair(self.card, config=config).text()"),
    "a copy": greet('return config.model_copy(update={"x": 1}).word + cast("HelloTool", self.card).tone'),
    "a dump": greet("return str(config.model_dump()) + self.card.tone"),
    "a text": greet('return f"{config} {self.card.tone}"'),
    "a library": greet("return json.dumps(config) + self.card.tone"),
    "a comparison": greet("return config == self.other and self.card.tone"),
    "a container that is kept": greet("self._all.append(config)\nREGISTRY[1] = self.card"),
    "an actor's message": "_guests: GuestsActor\n" + greet("return self._guests.greet(config) + self.card.tone"),
    "a proxy": greet("p = self.observer.proxy_ask(1, GuestsActor)\nreturn p.greet(config) + self.card.tone"),
    "an actor's configuration": greet("self.guests_actor(GuestsConfig(card=self.card, param=config))"),
    "the copy of a capability": greet("p = self.card.greet\nif isinstance(p, Greet):\n    return p.word + self.card.tone"),
}  # fmt: skip


@pytest.mark.parametrize("name", READS)
def test_a_read_is_found(name: str, make: Make) -> None:
    assert dead(make, READS[name]) == []


@pytest.mark.parametrize(
    ("logic", "messages"),
    [
        (greet("return name"), ["nothing reads 'tone'", "nothing reads 'greet.word'"]),
        (greet("return config.word"), ["nothing reads 'tone'"]),
        (greet("return partial(tone_of, self)"), ["nothing reads 'greet.word'"]),
        (greet("return partial(both, config=config)"), ["nothing reads 'tone'"]),
        (greet("return getattr(config, WORD)"), ["nothing reads 'tone'"]),
        (greet("return getattr(self.card, TONE)"), ["nothing reads 'greet.word'"]),
        (greet("return self.card.tone"), ["nothing reads 'greet.word'"]),
        (greet("return name.word + name.tone"), ["nothing reads 'tone'", "nothing reads 'greet.word'"]),
        (greet("return tone_of(self) + len(config.expose)"), ["nothing reads 'greet.word'"]),
        (greet("return both(self.card, name)"), ["nothing reads 'greet.word'"]),
        (greet("self.card.tone\nreturn type(config).__name__"), ["nothing reads 'greet.word'"]),
        (greet("self.card.tone\nreturn config is not None"), ["nothing reads 'greet.word'"]),
        (greet("self.guests_actor(GuestsConfig(card=self.card, param=1))"), ["nothing reads 'greet.word'"]),
        (greet("self.card.tone = 1\nself._word = config\nreturn self._word"), ["nothing reads 'tone'"]),
    ],
)  # fmt: skip
def test_what_is_not_read_is_dead(logic: str, messages: list[str], make: Make) -> None:
    assert dead(make, logic) == messages


def test_another_card_s_code_may_read_it(make: Make) -> None:
    other = (
        "from acme_cards.hello import Greet\ndef use(found: Greet | None):\n    return found.word\n"
    )
    found = dead(make, greet("return self.card.tone"), other=other)
    assert found == []


def test_whoever_carries_the_card_reads_nothing_of_it(make: Make) -> None:
    host = """
from acme_cards.hello import Greet, HelloTool
def agent(card: HelloTool):
    print(card, [card], card.model_dump())
    return team.agent("@A", [HelloTool(greet=Greet(word="x")), card])
"""
    assert dead(make, greet("return config.word"), host=host) == ["nothing reads 'tone'"]


def test_variables_of_two_params_may_be_taken_for_one(make: Make) -> None:
    """One helper for two params: a field of one is no secret of the other."""
    second = SPEC.partition("  greet:\n")[2].replace("greet", "part").replace("Greet", "Part")
    spec = f"{SPEC}  part:\n{second.replace('word:', 'last:')}"
    logic = greet("return helpers.pick(config) + self.card.tone")
    logic += "@override\ndef part(self, config, *, name):\n    return helpers.pick(config)\n"
    helper = "\ndef pick(config):\n    return config.word\n"
    found = dead(make, logic, spec, helpers=HELPERS + helper)
    assert found == ["nothing reads 'part.last'"]


def test_what_the_spec_uses_itself_is_not_dead(make: Make) -> None:
    spec = SPEC.replace("doc: Greet somebody.", 'doc: "Greet somebody, {tone}."').replace(
        "{type: string, description: Who is greeted.}",
        "{type: string, default_from: word, description: Who.}",
    )
    assert dead(make, greet("return name"), spec) == []


def test_places_are_those_of_the_keys(make: Make) -> None:
    found = findings(make, SPEC, {"logic": f"{HEAD}\nclass HelloLogic(HelloContract): ...\n"})
    assert [(one.file, one.line, one.column) for one in found] == [
        ("specs/hello.yaml", 6, 3),
        ("specs/hello.yaml", 15, 7),
    ]


FAILURES = SPEC.replace("  tone:", "  #:").replace(
    "capabilities:", "failures:\n  busy: {surfaces: retry, when: busy}\n  told: {surfaces: text, when: told}\ncapabilities:"
).replace("fields:\n", "")  # fmt: skip


@pytest.mark.parametrize(
    ("body", "dead_failure"),
    [
        ('raise self.retry("busy", "")', False),
        ('raise self.retry(message="", failure="busy")', False),
        ('raise self.retry("busy" if name else "busy", "")', False),
        ('failure = "busy"\nraise self.retry(failure, "")', False),
        ('return "busy"', True),
        ('raise self.retry(name, "")', True),
        ('raise self.retry("bussy", "")', False),  # CW919 says it
        ('self._note("busy")\nraise RetriableError("", failure="other")', True),
    ],
)
def test_cw922_counts_what_can_be_raised(body: str, *, dead_failure: bool, make: Make) -> None:
    spec = FAILURES.replace(
        "  #: {type: string, default: kind, description: Tone of all greetings.}\n", ""
    )
    found = dead(make, greet(f"config.word\n{body}"), spec)
    assert found == (["nothing raises 'busy'"] if dead_failure else [])


def test_cw922_a_helper_may_raise_it(make: Make) -> None:
    spec = FAILURES.replace(
        "  #: {type: string, default: kind, description: Tone of all greetings.}\n", ""
    )
    helper = HELPERS + '\ndef refuse(logic):\n    raise logic.retry("busy", "")\n'
    assert dead(make, greet("config.word\nhelpers.refuse(self)"), spec, helpers=helper) == []


def test_no_card_of_ours_has_dead_parts(root: Path) -> None:
    project = find_project(root)
    modules = Modules(project)
    for path in project.spec_files():
        parsed = parse_file(project.relative(path), path.read_bytes())
        if isinstance(parsed.spec, CardSpec):
            code = obligations(parsed.spec, project.package)
            assert list(dead_parts(project, parsed.path, code, modules)) == []


def test_each_field_of_ours_is_missed_once_its_reads_are_gone(root: Path, tmp_path: Path) -> None:
    """The check sees our own cards: without the logic's reads every field is dead."""
    project = find_project(root)
    for path in project.spec_files():
        parsed = parse_file(project.relative(path), path.read_bytes())
        if not isinstance(parsed.spec, CardSpec):
            continue
        code = obligations(parsed.spec, project.package)
        name = parsed.spec.logic.partition(":")[2]
        bare = tmp_path / path.stem
        (bare / "bare").mkdir(parents=True)
        (bare / "bare/logic.py").write_text(f"class {name}: ...\n", "utf-8")
        (bare / parsed.path).parent.mkdir()
        (bare / parsed.path).write_bytes(path.read_bytes())
        stripped = Project(root=bare, logic=(".",))
        found = dead_parts(
            stripped, parsed.path, code | {"logic": f"bare.logic:{name}"}, Modules(stripped)
        )
        told = [one.message for one in found if one.code == "CW921"]
        suspects = Suspects.read(code)
        assert suspects is not None
        assert len(told) == sum(len(names) for names in suspects.fields.values())
