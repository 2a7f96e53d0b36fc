"""Addresses (C8)."""

import gc
from copy import deepcopy
from uuid import uuid4

import pytest
from pydantic import TypeAdapter, ValidationError
from tests.actors.actors_support import Gate, Note, Worker, wait_for_end

from cardwright.actors import (
    ActorAddress,
    ActorAddressImpl,
    ActorAddressProxy,
    ActorAddressStopped,
    ActorDeadError,
    ActorSystem,
    BaseConfig,
    SerializableBaseModel,
    Timeout,
    UserProxy,
    deserialize_object,
)
from cardwright.actors.identity import ActorIdentity
from cardwright.actors.messages import Message, SentMessage, UserMessage
from cardwright.actors.snapshots import hydrate_addresses, snapshot_addresses


class Letter(SerializableBaseModel):
    to: ActorAddress | None = None
    copies: list[ActorAddress] = []


def stopped(system: ActorSystem) -> ActorAddressImpl:
    address = system.createActor(Worker, config=BaseConfig(name="@Gone", role="Helper"))
    assert isinstance(address, ActorAddressImpl)
    system.proxy_ask(address, Worker).stop()
    wait_for_end(address)
    return address


def test_equal_by_agent_id_across_classes(system: ActorSystem) -> None:
    live = system.createActor(Worker)
    data = live.serialize()
    forms = [live, ActorAddressProxy(data), ActorAddressStopped(data)]
    assert all(one == other for one in forms for other in forms)
    assert len(set(forms)) == 1
    assert live != system.createActor(Worker)
    assert live != "something else"


def test_wire_form(system: ActorSystem) -> None:
    squad = uuid4()
    live = system.createActor(Worker, config=BaseConfig(name="@A", role="R", squad_id=squad))
    data = live.serialize()
    assert data == {
        "__actor_address__": True,
        "__actor_type__": "tests.actors.actors_support.Worker",
        "agent_id": str(live.agent_id),
        "name": "@A",
        "role": "R",
        "team_id": str(live.team_id),
        "squad_id": str(squad),
        "is_user_proxy": False,
    }
    proxy = ActorAddressProxy(data)
    assert (proxy.name, proxy.role, proxy.team_id, proxy.squad_id) == (
        "@A",
        "R",
        live.team_id,
        squad,
    )
    incomplete = {key: value for key, value in data.items() if key != "is_user_proxy"}
    restored = deserialize_object(incomplete | {"squad_id": ""})
    assert isinstance(restored, ActorAddressProxy)
    assert restored.squad_id is None
    assert restored.is_user_proxy is False


def test_is_user_proxy_is_decided_by_class(system: ActorSystem) -> None:
    class Special(UserProxy):
        pass

    assert system.createActor(Special).is_user_proxy
    assert not system.createActor(Worker, config=BaseConfig(role="UserProxy")).is_user_proxy


def test_inert_addresses_refuse(system: ActorSystem) -> None:
    data = system.createActor(Worker).serialize()
    proxy, gone = ActorAddressProxy(data), ActorAddressStopped(data)
    assert proxy.is_alive()
    assert not gone.is_alive()
    for address in (proxy, gone):
        for action in (address.tell, address.ask):
            with pytest.raises(RuntimeError, match="stored address"):
                action(Note())
        with pytest.raises(RuntimeError, match="stored address"):
            address.send(proxy, Note())


def test_tell_and_ask_deliver_to_the_actor(system: ActorSystem) -> None:
    live = system.createActor(Worker)
    assert live.ask("hello") == "HELLO"
    live.tell("hello")
    assert system.proxy_ask(live, Worker).count_of("count") == 2


def test_ask_times_out_and_says_whom(system: ActorSystem) -> None:
    address = system.createActor(Gate, config=BaseConfig(name="@Gate"))
    _, release = system.proxy_ask(address, Gate).events()
    with pytest.raises(Timeout, match=r"@Gate.*UserMessage.*0\.05 s"):
        address.ask(UserMessage(content="x"), timeout=0.05)
    release.set()


def test_t69_everything_works_after_collection(system: ActorSystem) -> None:
    live = stopped(system)
    gc.collect()
    assert live.ref.actor is None
    assert not live.is_alive()
    assert (live.name, live.role) == ("@Gone", "Helper")
    assert live.serialize()["agent_id"] == str(live.agent_id)
    assert live == ActorAddressStopped(live.serialize())
    assert hash(live) == hash(ActorAddressProxy(live.serialize()))
    assert "@Gone" in repr(live)
    for action in (live.tell, live.ask):
        with pytest.raises(ActorDeadError, match="@Gone"):
            action(Note())
    with pytest.raises(ActorDeadError):
        live.send(live, Note())


def test_t69_who_was_collected_without_a_stop_is_not_alive() -> None:
    address = Worker(config=BaseConfig(name="@Forgotten")).myAddress
    gc.collect()
    assert not address.is_alive()
    with pytest.raises(ActorDeadError, match="@Forgotten"):
        address.tell(Note())


def test_metadata_is_fixed_at_creation(system: ActorSystem) -> None:
    live = system.createActor(Worker, config=BaseConfig(name="@Before"))
    system.proxy_ask(live, Worker).config.name = "@After"
    assert live.name == "@Before"


def test_in_models(system: ActorSystem) -> None:
    live = system.createActor(Worker)
    letter = Letter(to=live, copies=[live])
    assert deepcopy(letter).to is live
    restored = deserialize_object(letter.model_dump())
    assert isinstance(restored, Letter)
    assert isinstance(restored.to, ActorAddressProxy)
    assert restored == letter
    assert Letter.model_validate_json(letter.model_dump_json()) == letter
    with pytest.raises(ValidationError, match="ActorAddress"):
        Letter(to="@A")  # type: ignore[arg-type] # the mistake under test
    with pytest.raises(ValidationError):
        TypeAdapter(ActorAddressImpl).validate_python(ActorAddressProxy(live.serialize()))
    assert Letter.model_json_schema()


def test_snapshot_and_hydrate_are_inverse(system: ActorSystem) -> None:
    live = system.createActor(Worker)
    message = SentMessage(message=Note().init(live), recipient=live, sender=live)
    inert = snapshot_addresses(message)
    assert isinstance(inert.recipient, ActorAddressProxy)
    assert isinstance(inert.message.sender, ActorAddressProxy)
    assert isinstance(message.recipient, ActorAddressImpl)
    assert inert == message
    assert inert.id == message.id
    assert snapshot_addresses(inert) is inert
    back = hydrate_addresses(inert, lambda address: live if address == live else address)
    assert back.recipient is live
    assert hydrate_addresses(message, lambda address: address) is message


def test_snapshot_keeps_kinds_of_containers(system: ActorSystem) -> None:
    live = system.createActor(Worker)
    value = {"t": (live, 1), "s": {live}, "f": frozenset({live}), "l": [[live]], "n": [1]}
    inert = snapshot_addresses(value)
    assert inert == value
    assert {key: type(item) for key, item in inert.items()} == {
        key: type(item) for key, item in value.items()
    }
    assert isinstance(inert["t"], tuple)
    assert isinstance(inert["t"][0], ActorAddressProxy)
    assert inert["n"] is value["n"]


def test_a_failing_resolver_leaves_the_input_alone(system: ActorSystem) -> None:
    live = system.createActor(Worker)
    inert = snapshot_addresses(Message(sender=live))

    def refuse(address: ActorAddress) -> ActorAddress:
        raise LookupError(address.name)

    with pytest.raises(LookupError):
        hydrate_addresses(inert, refuse)
    assert isinstance(inert.sender, ActorAddressProxy)


def test_an_identity_needs_its_identifiers() -> None:
    with pytest.raises(ValueError, match="agent_id"):
        ActorIdentity.from_dict({"agent_id": "x"})  # type: ignore[typeddict-item] # malformed
