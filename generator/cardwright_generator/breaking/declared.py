"""Rules about what a card declares of itself: names, texts, observer, types."""

from .rule import GONE, Category, Edits, Example, Level, Rule, Step
from .table import own, pair, text

_LLM, _SOURCE, _WIRE = Category.LLM, Category.SOURCE, Category.WIRE
_ERR, _WARN, _INFO = Level.ERR, Level.WARN, Level.INFO
_BADGE: dict[str, object] = {
    "description": "What a guest wears.",
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string", "description": "What it says."}},
}
_PLAIN = {**_BADGE, "base": "plain"}
_NOTHING: Edits = {}
_ALONE: Edits = {"actors": GONE, "events": GONE}
_CHIME = {"arguments": {"times": {"type": "integer"}}, "returns": "string"}

_CARD: tuple[Rule, ...] = (
    *pair(
        _SOURCE,
        ("card-removed", "card-added"),
        (_ERR, _INFO),
        ("A card is gone.", "A card is new."),
        (
            "Code that imports it fails, and stored teams that carry it do not load.",
            "There is one more card.",
        ),
        (_NOTHING, {"": GONE}),
    ),
    Rule(
        "card-renamed",
        "A card has another class name, declared with `renamed_from`.",
        _SOURCE,
        _WARN,
        "Stored cards keep loading, and the old name imports with a warning.",
        Example(_NOTHING, {"card": "WelcomeTool", "renamed_from": "GreeterTool"}),
        ("card-removed", "card-old-name-dropped"),
    ),
    *pair(
        _WIRE,
        ("card-old-name-dropped", "card-old-name-declared"),
        (_ERR, _INFO),
        (
            "A card no longer declares its old name.",
            "A card takes stored data under one more name.",
        ),
        (
            "What was stored under the old name does not load.",
            "More stored data loads than before.",
        ),
        ({"renamed_from": "WelcomeTool"}, {"renamed_from": GONE}),
    ),
    *text(
        _SOURCE,
        "summary-changed",
        "A card is summed up in other words.",
        "summary",
        "Greets the guests of a team.",
        "Says hello.",
    ),
    *text(
        _SOURCE,
        "card-description-changed",
        "A card is described in other words.",
        "description",
        "Knows who came.",
        "Knows everybody.",
    ),
    *own(
        _SOURCE,
        "logic-moved",
        _INFO,
        "Another class implements the card.",
        "Whoever subclasses or replaces the logic by its path must look.",
        ({"logic": "acme.greeter.logic:GreeterLogic"}, {"logic": "acme.greeter.desk:GreeterLogic"}),
        Step.PATCH,
    ),
    *pair(
        _SOURCE,
        ("card-deprecated", "card-undeprecated"),
        (_WARN, _INFO),
        ("A card is deprecated.", "A card is no longer deprecated."),
        ("Binding it warns.", "Binding it warns no more."),
        ({"deprecated": GONE}, {"deprecated": {"use": "DoorTool"}}),
    ),
    *text(
        _SOURCE,
        "deprecation-changed",
        "A deprecated card names another successor.",
        "deprecated",
        {"use": "DoorTool"},
        {"use": "BellTool"},
    ),
    *pair(
        _LLM,
        ("toolset-removed", "toolset-added"),
        (_ERR, _INFO),
        ("A card no longer serves a toolset.", "A card serves a toolset."),
        ("The model loses all tools of it.", "The model may be offered more tools."),
        ({"toolset": {"doc": "Tools of the door."}}, {"toolset": GONE}),
    ),
    *text(
        _LLM,
        "toolset-doc-changed",
        "A toolset is described in other words.",
        "toolset",
        {"doc": "Tools of the door."},
        {"doc": "Doors."},
    ),
)

_OBSERVER: tuple[Rule, ...] = (
    *pair(
        _SOURCE,
        ("observer-asks-more", "observer-asks-less"),
        (_ERR, _INFO),
        (
            "A card needs more of the agent that carries it.",
            "A card needs less of the agent that carries it.",
        ),
        ("Agents that lack it refuse the card.", "More agents can carry the card."),
        ({"observer": "tool", **_ALONE}, {"observer": "actor", **_ALONE}),
    ),
    *own(
        _SOURCE,
        "observer-renamed",
        _ERR,
        "The protocol of the agent has another name.",
        "Code that imports it fails.",
        ({"observer.name": "GreeterObserver"}, {"observer.name": "DoorObserver"}),
    ),
    *pair(
        _SOURCE,
        ("observer-member-added", "observer-member-removed"),
        (_ERR, _INFO),
        ("The agent must have one more method.", "The agent need not have a method any more."),
        ("Agents that lack it refuse the card.", "More agents can carry the card."),
        ({"observer.members.chime": GONE}, {"observer.members.chime": _CHIME}),
    ),
    *own(
        _SOURCE,
        "observer-member-changed",
        _ERR,
        "A method of the agent takes or answers something else.",
        "Agents that have the method as it was fail when it is called.",
        (
            {"observer.members.chime": _CHIME},
            {
                "observer.members.chime": {
                    "arguments": {"times": {"type": "string"}},
                    "returns": "string",
                }
            },
        ),
    ),
)

_TYPES: tuple[Rule, ...] = (
    *pair(
        _SOURCE,
        ("type-removed", "type-added"),
        (_ERR, _INFO),
        ("A named type is gone.", "A named type is new."),
        ("Code that imports it fails.", "There is one more name to import."),
        ({"types.Badge": _PLAIN}, {"types.Badge": GONE}),
    ),
    Rule(
        "stored-type-removed",
        "A named type that stored data may hold is gone.",
        _WIRE,
        _ERR,
        "Data that names it does not load, and code that imports it fails.",
        Example({"types.Badge": _BADGE}, {"types.Badge": GONE}),
        ("type-added",),
    ),
    Rule(
        "type-renamed",
        "A named type has another name, declared with `renamed_from`.",
        _SOURCE,
        _WARN,
        "Stored data keeps loading, and the old name imports with a warning.",
        Example(
            {"types.Badge": _BADGE, "types.Label": GONE},
            {"types.Label": {**_BADGE, "renamed_from": "Badge"}, "types.Badge": GONE},
        ),
        ("type-old-name-dropped", "stored-type-removed"),
    ),
    *own(
        _SOURCE,
        "type-moved",
        _INFO,
        "A named type is declared in another file of specs.",
        "It is imported from another module; what it says, and what is stored, is the same.",
        (
            {"types.Badge": _PLAIN, "common:types.Badge": GONE},
            {"types.Badge": GONE, "common:types.Badge": _PLAIN},
        ),
        Step.MINOR,
    ),
    *own(
        _WIRE,
        "stored-type-moved",
        _ERR,
        "A named type that stored data may hold is declared in another file of specs.",
        "Stored data names it by its old module, which does not hold it any more.",
        (
            {"types.Badge": _BADGE, "common:types.Badge": GONE},
            {"types.Badge": GONE, "common:types.Badge": _BADGE},
        ),
    ),
    *pair(
        _WIRE,
        ("type-old-name-dropped", "type-old-name-declared"),
        (_ERR, _INFO),
        (
            "A named type no longer declares its old name.",
            "A named type takes stored data under one more name.",
        ),
        (
            "Data that names the old type does not load, and code that imports it fails.",
            "More stored data loads than before.",
        ),
        ({"types.Badge": {**_BADGE, "renamed_from": "Label"}}, {"types.Badge": _BADGE}),
    ),
    *own(
        _WIRE,
        "type-base-changed",
        _ERR,
        "Values of a type are stored in another form.",
        "Data of the old form does not load where the new one is expected.",
        ({"types.Badge": _BADGE}, {"types.Badge": _PLAIN}),
    ),
    *own(
        _WIRE,
        "type-class-changed",
        _ERR,
        "Another handwritten class stands for a type.",
        "Stored data names the old class.",
        (
            {"types.Badge": {**_BADGE, "class": "acme.greeter.badges:Badge"}},
            {"types.Badge": {**_BADGE, "class": "acme.greeter.labels:Badge"}},
        ),
    ),
    *text(
        _SOURCE,
        "type-description-changed",
        "A named type is described in other words.",
        "types.Badge",
        {**_BADGE, "description": "What a guest wears."},
        {**_BADGE, "description": "A label."},
    ),
    *pair(
        _WIRE,
        ("stored-class-removed", "stored-class-added"),
        (_ERR, _INFO),
        (
            "A handwritten class is no longer declared as stored.",
            "One more handwritten class is declared as stored.",
        ),
        ("Data that names it does not load.", "Data that names it loads."),
        (
            {"stored": ["acme.greeter.actor:GuestBookState", "acme.greeter.actor:Page"]},
            {"stored": ["acme.greeter.actor:GuestBookState"]},
        ),
    ),
    *pair(
        _WIRE,
        ("stored-old-name-dropped", "stored-old-name-declared"),
        (_ERR, _INFO),
        (
            "A stored class no longer declares an old name.",
            "A stored class is known by one more name.",
        ),
        ("Data that names the old class does not load.", "More stored data loads than before."),
        (
            {
                "stored": [
                    {
                        "class": "acme.greeter.actor:GuestBookState",
                        "renamed_from": "acme.greeter.old.Book",
                    }
                ]
            },
            {"stored": ["acme.greeter.actor:GuestBookState"]},
        ),
    ),
)

DECLARED = (*_CARD, *_OBSERVER, *_TYPES)
