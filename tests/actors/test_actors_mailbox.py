"""Waiting messages (C3, case 66)."""

from threading import Thread
from uuid import UUID, uuid4

from tests.actors.actors_support import Gate, Note, Recorder, Team, ref_of

from cardwright.actors import ActorSystem, Akgent, BaseConfig
from cardwright.actors.messages import HandledMessage, Message, UserMessage


class Sorter(Gate):
    """Takes messages out of turn while it is busy."""

    def receiveMsg_UserMessage(self, message: UserMessage) -> None:
        super().receiveMsg_UserMessage(message)
        wanted = [UUID(part) for part in message.content.split()]
        self.waiting = self.get_mailbox()
        self.taken = self.consume_mailbox(wanted)
        self.left = self.get_mailbox()
        self.nothing = self.consume_mailbox([])

    def receiveMsg_Note(self, message: Note) -> str:
        return message.text

    def result(self) -> tuple[list[Message], list[Message], list[Message], list[Message]]:
        return self.waiting, self.taken, self.left, self.nothing


def test_t66_consuming_keeps_order_and_leaves_asked_messages(
    team: Team, recorder: Recorder
) -> None:
    address = team.root.createActor(Sorter, config=BaseConfig(name="@Sorter"))
    busy, release = team.system.proxy_ask(address, Sorter).events()
    notes = [Note(text=str(number)) for number in (1, 2, 3)]
    asked = Note(text="9")
    wanted = [notes[1].id, uuid4(), notes[0].id, asked.id]
    team.system.tell(address, UserMessage(content=" ".join(map(str, wanted))))
    assert busy.wait(5)
    for note in notes:
        team.system.tell(address, note)
    asker = Thread(target=team.system.ask, args=(address, asked))
    asker.start()
    ref = ref_of(address)
    while len(ref.inbox) < 4:
        pass
    team.system.tell(address, "no message")
    release.set()
    waiting, taken, left, nothing = team.system.proxy_ask(address, Sorter).result()
    asker.join(5)
    assert waiting == [*notes, asked]
    assert taken == notes[:2]
    assert left == [notes[2], asked]
    assert nothing == []
    team.root.get_team()
    handled = [item.message_id for item in recorder.messages if isinstance(item, HandledMessage)]
    assert handled == [notes[0].id, notes[1].id]


def test_an_empty_mailbox(system: ActorSystem) -> None:
    address = system.createActor(Akgent)
    assert system.proxy_ask(address, Akgent).get_mailbox() == []
