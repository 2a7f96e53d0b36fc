"""Rules about what is served: capabilities, endpoints, channels, names and policies of calls."""

from .rule import GONE, Category, Example, Level, Rule
from .table import condition, own, pair, text

_LLM, _SOURCE, _WIRE = Category.LLM, Category.SOURCE, Category.WIRE
_ERR, _WARN, _INFO = Level.ERR, Level.WARN, Level.INFO
_GREET = "capabilities.greet"
_CALL = f"{_GREET}.endpoints.greet"
_EXTRA = "capabilities.wave_at"
_WAVE: dict[str, object] = {
    "param": "WaveAt",
    "description": "Wave.",
    "endpoints": {
        "wave_at": {"channels": ["tool_call"], "doc": "Wave at a guest.", "returns": "string"}
    },
}
_NEEDED = {**_WAVE, "default": "required"}

_CAPABILITIES: tuple[Rule, ...] = (
    *pair(
        _SOURCE,
        ("capability-removed", "capability-added"),
        (_ERR, _INFO),
        ("A capability is gone.", "A capability is new."),
        (
            "Code that configures it fails, stored cards lose it, and so does the model.",
            "Agents that do not configure it get its default.",
        ),
        ({_EXTRA: _WAVE}, {_EXTRA: GONE}),
    ),
    Rule(
        "capability-added-required",
        "A capability is new and must be decided on.",
        _SOURCE,
        _ERR,
        "Code that makes the card, and stored cards, do not name it, so they are refused.",
        Example({_EXTRA: GONE}, {_EXTRA: _NEEDED}),
        ("capability-removed",),
    ),
    Rule(
        "capability-renamed",
        "A capability has another name, declared with `renamed_from`.",
        _SOURCE,
        _WARN,
        "Stored cards keep loading; code that constructs the card must use the new name.",
        Example(
            {_EXTRA: _WAVE, "capabilities.wave": GONE},
            {"capabilities.wave": {**_WAVE, "renamed_from": "wave_at"}, _EXTRA: GONE},
        ),
        ("capability-old-name-dropped", "capability-removed"),
    ),
    *pair(
        _WIRE,
        ("capability-old-name-dropped", "capability-old-name-declared"),
        (_ERR, _INFO),
        (
            "A capability no longer declares its old name.",
            "A capability takes stored cards under one more name.",
        ),
        (
            "Cards stored under the old name lose the capability when they are loaded.",
            "More stored cards load than before.",
        ),
        (
            {f"{_GREET}.renamed_from": "welcome"},
            {f"{_GREET}.renamed_from": GONE},
        ),
    ),
    *own(
        _SOURCE,
        "param-renamed",
        _ERR,
        "The class that configures a capability has another name.",
        "Code that imports it fails, and stored cards name a class that is gone.",
        ({f"{_GREET}.param": "Greet"}, {f"{_GREET}.param": "Welcome"}),
    ),
    *pair(
        _SOURCE,
        ("capability-off-by-default", "capability-on-by-default"),
        (_ERR, _WARN),
        ("A capability was on by default and is off now.", "A capability is on by default now."),
        (
            "Agents that relied on the default lose it.",
            "Agents that relied on the default can do more than their authors decided.",
        ),
        ({f"{_GREET}.default": True}, {f"{_GREET}.default": False}),
    ),
    *pair(
        _SOURCE,
        ("capability-became-required", "capability-became-optional"),
        (_ERR, _INFO),
        (
            "A capability must be decided on and had a default before.",
            "A capability has a default and had to be decided on before.",
        ),
        ("Code that left it out fails.", "Nothing that worked stops working."),
        ({f"{_GREET}.default": True}, {f"{_GREET}.default": "required"}),
    ),
    *pair(
        _LLM,
        ("expose-default-narrowed", "expose-default-widened"),
        (_WARN, _WARN),
        (
            "A capability no longer uses a channel by default.",
            "A capability uses one more channel by default.",
        ),
        (
            "Models of agents that relied on the default lose it.",
            "Models of agents that relied on the default read more than before.",
        ),
        (
            {"capabilities.list_guests.expose": ["tool_call", "command"]},
            {"capabilities.list_guests.expose": ["command"]},
        ),
    ),
    *text(
        _SOURCE,
        "capability-description-changed",
        "A capability is described in other words.",
        f"{_GREET}.description",
        "Greet somebody.",
        "Say hello.",
    ),
    *condition(_LLM, "capability", f"{_GREET}.when"),
    *pair(
        _WIRE,
        ("migration-dropped", "migration-added"),
        (_ERR, _INFO),
        ("A stored value is no longer rewritten.", "A stored value is rewritten on loading."),
        (
            "Cards that were stored with the old value do not load.",
            "Cards that were stored with the old value load.",
        ),
        (
            {f"{_GREET}.migrate": {"tone": [{"from": "icy", "to": "cool"}]}},
            {f"{_GREET}.migrate": GONE},
        ),
    ),
    *own(
        _WIRE,
        "migration-changed",
        _ERR,
        "A stored value is rewritten to another one.",
        "Cards that were stored with the old value mean something else when they load.",
        (
            {f"{_GREET}.migrate": {"tone": [{"from": "icy", "to": "cool"}]}},
            {f"{_GREET}.migrate": {"tone": [{"from": "icy", "to": "warm"}]}},
        ),
    ),
    *pair(
        _LLM,
        ("capability-failure-dropped", "capability-failure-declared"),
        (_INFO, _INFO),
        ("A capability can no longer meet a failure.", "A capability can meet one more failure."),
        ("Readers of the reference expect one case less.", "Callers meet a new way to fail."),
        (
            {
                "capabilities.list_guests.failures": ["unknown_guest"],
            },
            {"capabilities.list_guests.failures": GONE},
        ),
    ),
)


def _channel(
    channel: str, word: str, category: Category, path: str, spec: object
) -> tuple[Rule, ...]:
    part = word.replace("-", " ")
    return pair(
        category,
        (f"{word}-removed", f"{word}-added"),
        (_ERR, _INFO),
        (f"A {part} is gone.", f"A {part} is new."),
        (
            f"Whoever used it on the channel `{channel}` fails.",
            f"There is one more on the channel `{channel}`.",
        ),
        ({path: spec}, {path: GONE}),
    )


_WATCH = "capabilities.watch_guests.endpoints"
_ENDPOINTS: tuple[Rule, ...] = (
    *_channel(
        "tool_call",
        "tool",
        _LLM,
        f"{_GREET}.endpoints.wave_at",
        {"channels": ["tool_call"], "doc": "Wave at a guest.", "returns": "string"},
    ),
    *_channel(
        "system_prompt",
        "prompt",
        _LLM,
        f"{_WATCH}.house_rules",
        {"channels": ["system_prompt"], "doc": "Rules of the house.", "returns": "string"},
    ),
    *_channel(
        "llm_context",
        "context-state",
        _LLM,
        f"{_WATCH}.late_guests",
        {"channels": ["llm_context"], "state": "GuestState"},
    ),
    *_channel(
        "command",
        "command",
        _SOURCE,
        "capabilities.watch_guests.endpoints.doors",
        {"channels": ["command"], "doc": "Show the doors.", "returns": "string"},
    ),
    *pair(
        _LLM,
        ("channel-removed", "channel-added"),
        (_ERR, _INFO),
        (
            "An endpoint is no longer served on a channel that it keeps beside others.",
            "An endpoint is served on one more channel.",
        ),
        (
            "Cards configured to expose it there are refused, and what was read there is gone.",
            "It can be exposed there.",
        ),
        (
            {"capabilities.list_guests.endpoints.list_guests.channels": ["tool_call", "command"]},
            {"capabilities.list_guests.endpoints.list_guests.channels": ["tool_call"]},
        ),
    ),
    *own(
        _LLM,
        "tool-renamed",
        _ERR,
        "A tool has another name for the model.",
        "Prompts, transcripts and policies that name the tool point at nothing.",
        ({f"{_CALL}.name": GONE}, {f"{_CALL}.name": "welcome"}),
    ),
    *own(
        _SOURCE,
        "command-renamed",
        _ERR,
        "A command has another name.",
        "Code and people that call it by its name fail.",
        (
            {f"{_GREET}.endpoints.greeting_line.name": GONE},
            {f"{_GREET}.endpoints.greeting_line.name": "hail"},
        ),
    ),
    *own(
        _SOURCE,
        "method-renamed",
        _ERR,
        "An endpoint is another method of the contract under the same public name.",
        "The logic lacks the method until it follows; callers notice nothing.",
        (
            {
                f"{_GREET}.endpoints.wave_at": {
                    "channels": ["tool_call"],
                    "doc": "Wave.",
                    "returns": "string",
                },
                f"{_GREET}.endpoints.wave_now": GONE,
            },
            {
                f"{_GREET}.endpoints.wave_now": {
                    "name": "wave_at",
                    "channels": ["tool_call"],
                    "doc": "Wave.",
                    "returns": "string",
                },
                f"{_GREET}.endpoints.wave_at": GONE,
            },
        ),
    ),
    *own(
        _SOURCE,
        "endpoint-moved",
        _ERR,
        "An endpoint belongs to another capability.",
        "Another field of the card turns it on and off, and its logic gets another `config`.",
        (
            {
                f"{_GREET}.endpoints.doors": {
                    "channels": ["command"],
                    "doc": "Show the doors.",
                    "returns": "string",
                },
                f"{_GREET}.endpoints.greeting_line": GONE,
                f"{_WATCH}.doors": GONE,
            },
            {
                f"{_WATCH}.doors": {
                    "channels": ["command"],
                    "doc": "Show the doors.",
                    "returns": "string",
                },
                f"{_GREET}.endpoints.doors": GONE,
                f"{_GREET}.endpoints.greeting_line": GONE,
            },
        ),
    ),
    *text(
        _LLM,
        "doc-changed",
        "The model reads another text about a tool or prompt.",
        f"{_CALL}.doc",
        "Greet a guest.",
        "Say hello to a guest.",
    ),
    *text(
        _SOURCE,
        "command-doc-changed",
        "People read another text about a command.",
        f"{_GREET}.endpoints.greeting_line.doc",
        "Greet from the command line.",
        "Say hello from the command line.",
    ),
    *own(
        _LLM,
        "tools-reordered",
        _INFO,
        "What the model is offered stands in another order.",
        "Models prefer what they read first, and cached prompts do not fit any more.",
        (
            {
                "failures": GONE,
                "capabilities": GONE,
                "capabilities.wave_at": _WAVE,
                "capabilities.bow_to": {
                    **_WAVE,
                    "param": "BowTo",
                    "endpoints": {
                        "bow_to": {"channels": ["tool_call"], "doc": "Bow.", "returns": "string"}
                    },
                },
            },
            {
                "failures": GONE,
                "capabilities": GONE,
                "capabilities.bow_to": {
                    **_WAVE,
                    "param": "BowTo",
                    "endpoints": {
                        "bow_to": {"channels": ["tool_call"], "doc": "Bow.", "returns": "string"}
                    },
                },
                "capabilities.wave_at": _WAVE,
            },
        ),
    ),
    *own(
        _LLM,
        "state-replaced",
        _ERR,
        "A context endpoint provides another type of state.",
        "Stored baselines of the old type fit the new one no more.",
        (
            {f"{_WATCH}.guest_state.state": "GuestState"},
            {
                f"{_WATCH}.guest_state.state": "VisitState",
                "types.VisitState": {
                    "base": "context",
                    "class": "acme.greeter.context:VisitState",
                    "description": "Who was there.",
                    "type": "object",
                    "required": ["guests"],
                    "properties": {
                        "guests": {
                            "type": "array",
                            "items": {"type": "string"},
                            "description": "Names of the guests.",
                        }
                    },
                },
            },
        ),
    ),
    *own(
        _LLM,
        "rendering-changed",
        _WARN,
        "An endpoint shows another state, or is answered by a method instead.",
        "Its readers get another text, and the logic gains or loses a method.",
        (
            {
                f"{_WATCH}.show_guests": {
                    "channels": ["command"],
                    "doc": "Show the guests.",
                    "renders": "guest_state",
                }
            },
            {
                f"{_WATCH}.show_guests": {
                    "channels": ["command"],
                    "doc": "Show the guests.",
                    "returns": "string",
                }
            },
        ),
    ),
    *own(
        _SOURCE,
        "method-async-changed",
        _ERR,
        "A method of the contract became a coroutine, or is none any more.",
        "The logic must follow, and so must code that calls its commands.",
        ({f"{_CALL}.async": GONE}, {f"{_CALL}.async": True}),
    ),
    *pair(
        _SOURCE,
        ("command-hidden", "command-announced"),
        (_WARN, _INFO),
        ("A command is no longer announced to people.", "A command is announced to people."),
        ("People do not find it any more.", "People find one more command."),
        (
            {f"{_GREET}.endpoints.greeting_line.internal": GONE},
            {f"{_GREET}.endpoints.greeting_line.internal": True},
        ),
    ),
    *pair(
        _LLM,
        ("timeout-shortened", "timeout-lengthened"),
        (_WARN, _INFO),
        ("A tool call may take less time.", "A tool call may take more time."),
        ("Calls that finished are cut off.", "Whoever waits may wait longer."),
        ({f"{_CALL}.timeout": 30}, {f"{_CALL}.timeout": 10}),
    ),
    *pair(
        _LLM,
        ("parallel-calls-refused", "parallel-calls-allowed"),
        (_WARN, _WARN),
        (
            "Calls of a tool no longer run beside other calls.",
            "Calls of a tool run beside other calls.",
        ),
        ("Steps with several calls take longer.", "Calls meet each other that never did."),
        ({f"{_CALL}.parallel_safe": GONE}, {f"{_CALL}.parallel_safe": False}),
    ),
    *pair(
        _LLM,
        ("idempotency-weakened", "idempotency-strengthened"),
        (_ERR, _INFO),
        (
            "Repeating a tool call does more than it did.",
            "Repeating a tool call does less than it did.",
        ),
        (
            "Hosts that repeat calls after a failure do something twice.",
            "Hosts may repeat calls that they did not repeat before.",
        ),
        ({f"{_CALL}.idempotency": "idempotent"}, {f"{_CALL}.idempotency": "effectful"}),
    ),
    *pair(
        _LLM,
        ("approval-added", "approval-dropped"),
        (_WARN, _ERR),
        (
            "A human must confirm calls of a tool.",
            "No human confirms calls of a tool any more.",
        ),
        (
            "Agents that nobody watches wait for an answer.",
            "Calls that somebody had to allow happen by themselves.",
        ),
        ({f"{_CALL}.approval": GONE}, {f"{_CALL}.approval": True}),
    ),
    *condition(_LLM, "endpoint", f"{_CALL}.when"),
    *condition(
        _LLM,
        "argument",
        f"{_CALL}.arguments.tone.when",
        {
            f"{_CALL}.arguments.tone": {
                "type": "string",
                "default": "warm",
                "description": "Mood.",
            }
        },
    ),
    *own(
        _SOURCE,
        "rest-of-line-changed",
        _ERR,
        "The last argument of a command takes the rest of the line, or no longer does.",
        "Lines that people type are read in another way.",
        (
            {f"{_GREET}.endpoints.greeting_line.arguments.name.rest_of_line": GONE},
            {f"{_GREET}.endpoints.greeting_line.arguments.name.rest_of_line": True},
        ),
    ),
)

SERVED = (*_CAPABILITIES, *_ENDPOINTS)
