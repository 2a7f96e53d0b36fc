"""Rules about what surrounds a card: other cards, actors, events, failures, variables, extras."""

from .rule import GONE, Category, Level, Rule
from .table import condition, own, pair, text

_LLM, _SOURCE, _WIRE = Category.LLM, Category.SOURCE, Category.WIRE
_ERR, _WARN, _INFO = Level.ERR, Level.WARN, Level.INFO

SURROUNDINGS: tuple[Rule, ...] = (
    *pair(
        _SOURCE,
        ("dependency-added", "dependency-removed"),
        (_ERR, _INFO),
        ("A card must be there that was not needed before.", "A card is not needed any more."),
        ("Agents without it refuse this card.", "More agents can carry the card."),
        (
            {"depends_on": [{"card": "DoorTool"}]},
            {"depends_on": [{"card": "DoorTool"}, {"card": "BellTool"}]},
        ),
    ),
    *pair(
        _SOURCE,
        ("optional-dependency-added", "optional-dependency-removed"),
        (_INFO, _INFO),
        ("A card is bound earlier, if it is there.", "A card need not be bound earlier any more."),
        ("Where it is missing, one warning is logged.", "The order of binding may differ."),
        (
            {"depends_on": [{"card": "DoorTool"}]},
            {"depends_on": [{"card": "DoorTool"}, {"card": "BellTool", "optional": True}]},
        ),
    ),
    *pair(
        _SOURCE,
        ("dependency-became-mandatory", "dependency-became-optional"),
        (_ERR, _INFO),
        (
            "A card that could be missing must be there.",
            "A card that had to be there may be missing.",
        ),
        ("Agents without it refuse this card.", "More agents can carry the card."),
        (
            {"depends_on": [{"card": "DoorTool", "optional": True}]},
            {"depends_on": [{"card": "DoorTool"}]},
        ),
    ),
    *own(
        _SOURCE,
        "dependency-naming-changed",
        _ERR,
        "Another field names the card that is needed.",
        "Configurations that named it do so no more.",
        (
            {
                "depends_on": [{"card": "DoorTool", "named_by": "door"}],
                "fields.door": {
                    "type": ["boolean", "string"],
                    "default": True,
                    "description": "Door.",
                },
            },
            {
                "depends_on": [{"card": "DoorTool"}],
                "fields.door": {
                    "type": ["boolean", "string"],
                    "default": True,
                    "description": "Door.",
                },
            },
        ),
    ),
    *condition(_SOURCE, "dependency", "depends_on.0.when"),
    *pair(
        _WIRE,
        ("actor-removed", "actor-added"),
        (_ERR, _INFO),
        ("An actor is gone.", "An actor is new."),
        (
            "Messages to it find nobody, and what it kept is orphaned.",
            "There is one more actor in a team.",
        ),
        (
            {"actors.porter": {"name": "#Porter", "class": "acme.greeter.actor:Porter"}},
            {"actors.porter": GONE},
        ),
    ),
    *own(
        _WIRE,
        "actor-renamed",
        _ERR,
        "An actor has another name.",
        "Stored teams hold its state under the old name, and messages go there.",
        ({"actors.book.name": "#GuestBook"}, {"actors.book.name": "#Guests"}),
    ),
    *own(
        _WIRE,
        "actor-scope-changed",
        _ERR,
        "An actor is shared by others than before: its name is built from other values.",
        "State that was one is split, or state that was apart is shared.",
        ({"actors.book.name": "#GuestBook"}, {"actors.book.name": "#GuestBook-{language}"}),
    ),
    *own(
        _WIRE,
        "actor-class-changed",
        _ERR,
        "Another class is the actor.",
        "Stored teams name the old class, and its messages may differ.",
        (
            {"actors.book.class": "acme.greeter.actor:GuestBook"},
            {"actors.book.class": "acme.greeter.book:GuestBook"},
        ),
    ),
    *own(
        _SOURCE,
        "actor-key-changed",
        _ERR,
        "The contract offers an actor under another key.",
        "The logic calls a method that is gone; the actor itself is the same.",
        (
            {
                "actors.porter": {"name": "#Porter", "class": "acme.greeter.actor:Porter"},
                "actors.usher": GONE,
            },
            {
                "actors.usher": {"name": "#Porter", "class": "acme.greeter.actor:Porter"},
                "actors.porter": GONE,
            },
        ),
    ),
    *condition(_WIRE, "actor", "actors.book.when"),
    *pair(
        _WIRE,
        ("event-removed", "event-added"),
        (_ERR, _INFO),
        ("An event is no longer emitted.", "An event is emitted."),
        ("Whoever waits for it waits forever.", "Subscribers may meet it."),
        ({"events.Guest": {"emitter": "book", "when": "a guest came"}}, {"events": GONE}),
    ),
    *own(
        _WIRE,
        "event-emitter-changed",
        _ERR,
        "Another actor emits an event.",
        "Subscribers that choose by sender miss it.",
        (
            {
                "actors.porter": {"name": "#Porter", "class": "acme.greeter.actor:Porter"},
                "events.Guest.emitter": "book",
            },
            {
                "actors.porter": {"name": "#Porter", "class": "acme.greeter.actor:Porter"},
                "events.Guest.emitter": "porter",
            },
        ),
    ),
    *text(
        _WIRE,
        "event-occasion-changed",
        "An event is said to be emitted on another occasion.",
        "events.Guest.when",
        "a guest came",
        "a guest came or left",
    ),
    *pair(
        _SOURCE,
        ("failure-removed", "failure-added"),
        (_WARN, _INFO),
        ("A declared failure is gone.", "A failure is declared."),
        (
            "Logic that raises it is wrong, and readers expect one case less.",
            "Callers may meet a new way to fail.",
        ),
        (
            {
                "failures.too_late": {"surfaces": "retry", "when": "the door is shut"},
                "capabilities.list_guests.failures": ["too_late"],
            },
            {"failures.too_late": GONE, "capabilities.list_guests.failures": GONE},
        ),
    ),
    *own(
        _LLM,
        "failure-surface-changed",
        _WARN,
        "A failure reaches its readers in another way.",
        "A model that could correct itself gets an error, or the other way round.",
        ({"failures.unknown_guest.surfaces": "retry"}, {"failures.unknown_guest.surfaces": "text"}),
    ),
    *text(
        _SOURCE,
        "failure-occasion-changed",
        "A failure is said to happen on another occasion.",
        "failures.unknown_guest.when",
        "nobody of that name came",
        "nobody is called so",
    ),
    *pair(
        _WIRE,
        ("variable-removed", "variable-added"),
        (_ERR, _INFO),
        ("An environment variable is no longer read.", "An environment variable is read."),
        ("What operators set has no effect any more.", "Operators can set one thing more."),
        (
            {"environment.GREETER_BELL": {"default": None, "description": "Bell."}},
            {"environment.GREETER_BELL": GONE},
        ),
    ),
    *own(
        _WIRE,
        "variable-default-changed",
        _WARN,
        "An environment variable means another value while it is unset.",
        "Installations that do not set it behave differently.",
        (
            {"environment.GREETER_LANGUAGE.default": "en"},
            {"environment.GREETER_LANGUAGE.default": "fr"},
        ),
    ),
    *text(
        _WIRE,
        "variable-description-changed",
        "An environment variable is described in other words.",
        "environment.GREETER_LANGUAGE.description",
        "Language when none is configured.",
        "Language.",
    ),
    *pair(
        _SOURCE,
        ("extra-needed", "extra-not-needed"),
        (_WARN, _INFO),
        ("An optional dependency is used.", "An optional dependency is not used any more."),
        ("Without it the card does less than before.", "The card does without."),
        ({"extras.light": GONE}, {"extras.light": {"when_missing": "it stays dark"}}),
    ),
    *text(
        _SOURCE,
        "extra-fallback-changed",
        "The card is said to do without an optional dependency in another way.",
        "extras.voice.when_missing",
        "greetings are text only",
        "it is silent",
    ),
)
