"""What happens in the demo: who is asked what, and what a scripted model answers."""

from dataclasses import dataclass

type Arguments = dict[str, object]


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of the scripted model."""

    tool: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Turn:
    """One request to one agent, with the script of its model."""

    title: str
    agent: str
    prompt: str
    calls: tuple[Call, ...] = ()
    """One after the other; the next is made once the former was answered or refused."""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """One command line that a person types."""

    title: str
    agent: str
    line: str


def _task(number: int, description: str, owner: str) -> Arguments:
    return {"id": number, "status": "pending", "description": description, "owner": owner}


def _start(number: int) -> Arguments:
    return {"update": {"update_tasks": [{"id": number, "status": "started"}]}}


@dataclass(frozen=True, slots=True)
class Story:
    """Who takes part, and the acts in order."""

    agents: tuple[str, str]
    instructions: str
    """With `{name}` and `{mate}`."""
    acts: tuple[Turn | Command, ...]


MOVE = Story(
    agents=("@Alice", "@Bob"),
    instructions=(
        "You are {name} of a team that shares a task board. Your team mate is {mate}. "
        "Keep the board true and answer in one sentence."
    ),
    acts=(
        Turn(
            title="@Alice plans",
            agent="@Alice",
            prompt=(
                "We move on Friday. Put three tasks on the board: 1, order desks, is yours; "
                "2, book the movers, and 3, label the boxes, are @Bob's."
            ),
            calls=(
                Call(
                    "update_planning",
                    {
                        "update": {
                            "create_tasks": [
                                _task(1, "Order desks", "@Alice"),
                                _task(2, "Book the movers", "@Bob"),
                                _task(3, "Label the boxes", "@Bob"),
                            ]
                        }
                    },
                ),
            ),
            answer="Three tasks are on the board, two of them for @Bob.",
        ),
        Turn(
            title="@Bob starts, is refused and corrects himself",
            agent="@Bob",
            prompt=("Mark task 7 as started. If there is none, start the first of your own tasks."),
            calls=(Call("update_planning", _start(7)), Call("update_planning", _start(2))),
            answer="There is no task 7; I have started to book the movers.",
        ),
        Turn(
            title="@Alice sees what changed, and nothing else",
            agent="@Alice",
            prompt="How is the move going?",
            answer="@Bob is booking the movers; the desks are still to be ordered.",
        ),
        Command(title="A person types a command", agent="@Bob", line="/planning_summary"),
    ),
)
