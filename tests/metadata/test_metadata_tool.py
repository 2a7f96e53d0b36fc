"""The metadata card over a real orchestrator: wiring, rendering once, binding again."""

import gc
import logging
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from uuid import uuid4

import pytest
from pydantic import BaseModel, ValidationError

from cardwright.actors import (
    ActorAddress,
    ActorSystem,
    BaseConfig,
    Orchestrator,
    SerializableBaseModel,
)
from cardwright.core import Channels, ToolFactory, ToolObserverGone, ToolState
from cardwright.metadata import MetadataTool, RenderMetadata

LOGGER = "cardwright.metadata"


class Deal(SerializableBaseModel):
    """One team's metadata."""

    customer: str
    size: int = 1


class Ticket(SerializableBaseModel):
    """Another team's, unrelated."""

    number: int


class State:
    """What an agent's state must have."""

    def __init__(self) -> None:
        self.tool_state = ToolState()


class Agent:
    """The smallest agent that lives in a team."""

    def __init__(self, system: ActorSystem, orchestrator: ActorAddress) -> None:
        self.myAddress = orchestrator
        self.orchestrator: ActorAddress | None = orchestrator
        self.team_id = uuid4()
        self.user_id = None
        self.state = State()
        self._system = system

    def notify_event(self, event: object) -> None:
        """Nothing to record."""

    def proxy_ask[A](
        self, actor: ActorAddress, actor_type: type[A] | None = None, timeout: float | None = 30.0
    ) -> A:
        return self._system.proxy_ask(actor, actor_type, timeout=timeout)

    def proxy_tell[A](self, actor: ActorAddress, actor_type: type[A] | None = None) -> A:
        return self._system.proxy_tell(actor, actor_type)


class CountingOrchestrator(Orchestrator):
    """Counts how often its metadata is read."""

    reads = 0

    def get_metadata(self) -> BaseModel | None:
        self.reads += 1
        return super().get_metadata()


@pytest.fixture
def system() -> Iterator[ActorSystem]:
    with ActorSystem() as system:
        yield system


class Team:
    """A real orchestrator and an agent in its team."""

    def __init__(self, system: ActorSystem, metadata: BaseModel | None = None) -> None:
        config = BaseConfig(name="@Orchestrator", role="Orchestrator")
        self.address = system.createActor(CountingOrchestrator, config=config)
        self.orchestrator = system.proxy_ask(self.address, CountingOrchestrator)
        self.orchestrator.set_metadata(metadata)
        self.agent = Agent(system, self.address)

    def bind(self, card: MetadataTool) -> ToolFactory:
        return ToolFactory([card], observer=self.agent)


type MakeTeam = Callable[..., Team]


@pytest.fixture
def make_team(system: ActorSystem) -> MakeTeam:
    return partial(Team, system)


def card(template: str = "For {customer}", header: str | None = None) -> MetadataTool:
    return MetadataTool(render_metadata=RenderMetadata(template=template, header=header))


def rendered(factory: ToolFactory) -> str:
    (prompt,) = factory.get_system_prompts()
    return prompt()


def test_case_1_a_bare_card_serves_nothing_and_needs_no_team(make_team: MakeTeam) -> None:
    team = make_team()
    team.agent.orchestrator = None
    factory = team.bind(MetadataTool())
    assert factory.get_tools() == factory.get_system_prompts() == []
    assert factory.get_command_registry().descriptors() == []
    assert team.orchestrator.reads == 0


def test_case_2_a_template_is_required_and_not_empty() -> None:
    with pytest.raises(ValidationError, match="template"):
        RenderMetadata.model_validate({})
    with pytest.raises(ValidationError, match="template"):
        RenderMetadata(template="")
    assert RenderMetadata(template=" ").template == " "


def test_true_has_no_template_and_fails_when_wired(make_team: MakeTeam) -> None:
    bare = MetadataTool(render_metadata=True)
    with pytest.raises(ValueError, match="template"):
        make_team().bind(bare)
    with pytest.raises(ValueError, match="template"):
        bare.get_system_prompts()
    with pytest.raises(ValueError, match="template"):
        bare.get_commands()


@pytest.mark.parametrize("metadata", [None, Deal(customer="Acme")])
@pytest.mark.parametrize(
    "template", ["{customer.upper}", "{customer!r}", "{", "{ customer }", "{0}"]
)
def test_case_3_a_malformed_template_fails_wiring_with_and_without_metadata(
    make_team: MakeTeam, template: str, metadata: BaseModel | None
) -> None:
    with pytest.raises(ValueError, match=r"\{"):
        make_team(metadata).bind(card(template))


def test_case_4_an_unknown_name_fails_wiring_with_the_real_fields(make_team: MakeTeam) -> None:
    with pytest.raises(ValueError, match=r"client.*Deal.*customer, size"):
        make_team(Deal(customer="Acme")).bind(card("{client}"))


def test_case_5_metadata_set_later_that_lacks_the_name_renders_empty(
    make_team: MakeTeam, caplog: pytest.LogCaptureFixture
) -> None:
    team = make_team()
    factory = team.bind(card("{customer}"))
    team.orchestrator.set_metadata(Ticket(number=1))
    assert rendered(factory) == ""
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert "customer" in record.getMessage()
    assert "Ticket" in record.getMessage()


def test_case_6_absent_at_first_and_set_later_the_block_appears(
    make_team: MakeTeam, caplog: pytest.LogCaptureFixture
) -> None:
    team = make_team()
    factory = team.bind(card())
    with caplog.at_level(logging.WARNING, logger=LOGGER):
        assert rendered(factory) == ""
    assert "MetadataTool" in caplog.text
    team.orchestrator.set_metadata(Deal(customer="Acme"))
    assert rendered(factory) == "For Acme"


def test_case_7_two_renderings_read_once_and_never_change(make_team: MakeTeam) -> None:
    team = make_team(Deal(customer="Acme"))
    factory = team.bind(card())
    before = team.orchestrator.reads
    assert rendered(factory) == "For Acme"
    team.orchestrator.set_metadata(Deal(customer="Other"))
    assert rendered(factory) == "For Acme"
    assert team.orchestrator.reads == before + 1


def test_case_8_binding_to_another_team_renders_afresh(make_team: MakeTeam) -> None:
    one, other = make_team(Deal(customer="Acme")), make_team(Deal(customer="Umbrella"))
    shared = card()
    assert rendered(one.bind(shared)) == "For Acme"
    assert rendered(other.bind(shared)) == "For Umbrella"


def test_case_8_binding_after_switching_off_serves_nothing(make_team: MakeTeam) -> None:
    team, shared = make_team(Deal(customer="Acme")), card()
    prompt = team.bind(shared).get_system_prompts()[0]
    assert prompt() == "For Acme"
    shared.render_metadata = False
    assert team.bind(shared).get_system_prompts() == []


def test_case_9_the_header_is_a_bold_line_above(make_team: MakeTeam) -> None:
    metadata = Deal(customer="Acme")
    assert rendered(make_team(metadata).bind(card(header="Deal"))) == "**Deal**\nFor Acme"
    assert rendered(make_team(metadata).bind(card(header=""))) == "For Acme"


def test_case_10_command_and_prompt_agree_and_share_one_reading(make_team: MakeTeam) -> None:
    team = make_team(Deal(customer="Acme"))
    factory = team.bind(card())
    before = team.orchestrator.reads
    assert (
        factory.get_command_registry().dispatch("/team_metadata") == rendered(factory) == "For Acme"
    )
    assert team.orchestrator.reads == before + 1


@pytest.mark.parametrize(
    ("channel", "prompts", "commands"), [("command", 0, 1), ("system_prompt", 1, 0)]
)
def test_case_11_each_channel_alone(
    make_team: MakeTeam, channel: str, prompts: int, commands: int
) -> None:
    factory = make_team().bind(
        MetadataTool(render_metadata=RenderMetadata(template="x", expose={Channels(channel)}))
    )
    assert len(factory.get_system_prompts()) == prompts
    assert len(factory.get_command_registry().descriptors()) == commands


def test_case_12_a_dead_orchestrator_gives_an_empty_block_and_an_error(
    make_team: MakeTeam, caplog: pytest.LogCaptureFixture
) -> None:
    team = make_team(Deal(customer="Acme"))
    factory = team.bind(card())
    team.orchestrator.stop(1.0).wait(5)
    assert rendered(factory) == ""
    assert any(record.levelno == logging.ERROR and record.exc_info for record in caplog.records)


def test_case_13_a_dump_after_rendering_holds_configuration_only(make_team: MakeTeam) -> None:
    shared = card()
    before = shared.model_dump()
    rendered(make_team(Deal(customer="Acme")).bind(shared))
    assert shared.model_dump() == before
    assert "Acme" not in shared.model_dump_json()
    assert MetadataTool.model_validate(before) == card()


def test_case_14_any_model_will_do(make_team: MakeTeam) -> None:
    assert rendered(make_team(Ticket(number=7)).bind(card("#{number}"))) == "#7"
    assert (
        rendered(make_team(Deal(customer="Acme", size=2)).bind(card("{size} x {customer}")))
        == "2 x Acme"
    )


def test_case_15_closures_outlive_the_agent(make_team: MakeTeam) -> None:
    team = make_team(Deal(customer="Acme"))
    factory = team.bind(card())
    prompts, registry = factory.get_system_prompts(), factory.get_command_registry()
    agent = weakref.ref(team.agent)
    del factory, team.agent
    gc.collect()
    assert agent() is None
    assert registry.dispatch("/team_metadata") == "For Acme"
    assert prompts[0]() == "For Acme"


def test_an_agent_without_a_team_is_refused(make_team: MakeTeam) -> None:
    team = make_team()
    team.agent.orchestrator = None
    with pytest.raises(ValueError, match="orchestrator"):
        team.bind(card())


def test_an_unbound_card_says_so() -> None:
    (prompt,) = card().get_system_prompts()
    with pytest.raises(ToolObserverGone, match="not bound"):
        prompt()


def test_the_package_declares_no_shape_of_metadata() -> None:
    import cardwright.metadata as domain
    import cardwright_cards.metadata.card as generated

    for module in (generated, domain):
        models = [
            value
            for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, BaseModel)
        ]
        assert {model.__name__ for model in models} <= {
            "MetadataTool",
            "RenderMetadata",
            "BaseToolParam",
            "ToolCard",
        }
