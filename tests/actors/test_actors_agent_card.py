"""Configuration, agent cards and the user proxy (C9)."""

import pytest
from pydantic import ValidationError
from tests.actors.actors_support import Worker

from cardwright.actors import (
    ActorSystem,
    AgentCard,
    AgentConfig,
    Akgent,
    BaseConfig,
    BaseState,
    UserProxy,
    WarningError,
    deserialize_object,
    stored_context,
)
from cardwright.actors.agent_card import config_type_of
from cardwright.actors.config import ReadOnlyField
from cardwright.actors.messages import ResultMessage, UserMessage


class SmartConfig(BaseConfig):
    wits: int = 1


class Smart(Akgent[SmartConfig, BaseState]):
    pass


class Smarter(Smart):
    pass


def card(**changes: object) -> AgentCard:
    given = {
        "agent_class": Smart,
        "description": "Thinks.",
        "config": {"role": "Thinker", "wits": 3},
        **changes,
    }
    return AgentCard.model_validate(given)


def test_the_role_is_the_one_of_the_configuration() -> None:
    assert card().role == "Thinker"
    with pytest.raises(ValidationError, match=r"config\.role"):
        card(config={"role": ""})
    with pytest.raises(ValidationError, match=r"config\.role"):
        card(role="Thinker")


def test_a_plain_configuration_becomes_the_bound_type() -> None:
    for agent_class in (Smart, Smarter, f"{__name__}.Smarter"):
        config = card(agent_class=agent_class).config
        assert type(config) is SmartConfig
        assert config.wits == 3
    assert type(card(agent_class=Worker, config={"role": "R"}).config) is BaseConfig
    assert config_type_of(Akgent) is BaseConfig
    assert config_type_of(int) is BaseConfig
    own = BaseConfig(role="Own")
    assert card(config=own).config is own


def test_an_unknown_class_with_a_plain_configuration_is_refused() -> None:
    with pytest.raises(ValidationError, match="agent_class"):
        card(agent_class="nowhere.Agent")
    late = card(agent_class="nowhere.Agent", config=BaseConfig(role="R"))
    with pytest.raises(ValueError, match=r"nowhere\.Agent"):
        late.get_agent_class()
    for path in ("", "Undotted"):
        with pytest.raises(ValueError, match="agent_class"):
            card(agent_class=path, config=BaseConfig(role="R")).get_agent_class()


def test_helpers() -> None:
    one = card(skills=["think"], agent_class=f"{__name__}.Smart")
    assert one.get_agent_class() is Smart
    assert one.has_skill("think")
    assert not one.has_skill("act")
    copied = one.get_config_copy()
    assert copied == one.config
    assert copied is not one.config
    assert AgentConfig is BaseConfig


def test_who_may_hire_whom() -> None:
    boss = card(config={"role": "Boss"}, routes_to=["Thinker"])
    assert boss.may_hire(card())
    assert not card().may_hire(boss)
    assert card().may_hire(card(config={"role": "Temp"}, can_be_hired=True))


def test_it_is_stored(caplog: pytest.LogCaptureFixture) -> None:
    one = card(metadata={"a": [1]}, routes_to=["X"])
    restored = deserialize_object(one.model_dump())
    assert restored == one
    assert isinstance(restored, AgentCard)
    assert restored.agent_class is Smart
    old = {key: value for key, value in one.model_dump().items() if key != "routes_to"}
    older = AgentCard.model_validate(old | {"role": "Thinker"}, context=stored_context())
    assert older.routes_to == []
    assert "skipped: role" in caplog.text


def test_a_card_whose_class_is_gone_still_loads() -> None:
    stored = card().model_dump() | {"agent_class": {"__type__": "gone.Agent"}}
    restored = deserialize_object(stored)
    assert isinstance(restored, AgentCard)
    assert restored.agent_class == "gone.Agent"
    with pytest.raises(ValueError, match=r"gone\.Agent"):
        restored.get_agent_class()


def test_read_only_fields_are_marked_in_the_schema() -> None:
    class Config(BaseConfig):
        fixed: int = ReadOnlyField(default=1, description="Stays.")

    assert Config.model_json_schema()["properties"]["fixed"]["readOnly"] is True


def test_unknown_configuration_is_refused() -> None:
    with pytest.raises(ValidationError, match="rloe"):
        BaseConfig(rloe="x")  # type: ignore[call-arg] # the misspelling under test


def test_user_proxy(system: ActorSystem) -> None:
    proxy = system.createActor(UserProxy, config=BaseConfig(name="@Human"))
    question = UserMessage(content="Well?")
    assert system.ask(proxy, question) is None
    human = system.proxy_ask(proxy, UserProxy)
    human.process_human_input("Yes.", question)
    answer = system.listen(timeout=5)
    assert isinstance(answer, ResultMessage)
    assert answer.content == "Yes."
    assert answer.sender == proxy
    assert answer.display_type == "ai"
    with pytest.raises(WarningError, match="no sender"):
        human.process_human_input("Yes.", UserMessage(content="x"))
