"""The two agents of the demo, on one team."""

from collections.abc import Mapping, Sequence
from typing import Self

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model

from cardwright.bench import LocalTeam
from cardwright.pydantic_ai import Cards
from cardwright_cards import PlanningTool

from .scripted import scripted_model
from .story import Story, Turn


class Player:
    """One agent with its cards and its conversation so far."""

    def __init__(self, cards: Cards, model: Model, instructions: str) -> None:
        self._cards = cards
        self._agent = Agent(model, instructions=instructions, capabilities=[cards], retries=2)
        self._history: Sequence[ModelMessage] = ()

    def asked(self, prompt: str) -> list[ModelMessage]:
        """Let the agent answer `prompt`; returns what was said, called and answered."""
        result = self._agent.run_sync(prompt, message_history=self._history)
        self._history = result.all_messages()
        return result.new_messages()

    def dispatch(self, line: str) -> str:
        """The answer to a command line."""
        return self._cards.dispatch(line) or ""


class Cast:
    """Every agent of a story; leave it through `with`."""

    def __init__(self, story: Story, model: Model | None) -> None:
        """Make the agents.

        Args:
            story: Who takes part.
            model: What answers; the script of the story when `None`.
        """
        self._team = LocalTeam()
        self.players: Mapping[str, Player] = {
            name: self._player(story, name, model) for name in story.agents
        }

    def _player(self, story: Story, name: str, model: Model | None) -> Player:
        turns = [act for act in story.acts if isinstance(act, Turn) and act.agent == name]
        (mate,) = (other for other in story.agents if other != name)
        return Player(
            Cards(cards=[PlanningTool(vector_store=False)], agent=name, team=self._team),
            model or scripted_model(turns),
            story.instructions.format(name=name, mate=mate),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self._team.stop()
