"""What a change of an actor is compared with: the least that an actor can do."""

import pykka


class Raw(pykka.ThreadingActor):
    """An actor that writes to a dictionary and does nothing else."""

    use_daemon_thread = True

    def __init__(self) -> None:
        super().__init__()
        self.written: dict[object, object] = {}

    def put(self, key: object, value: object) -> None:
        self.written[key] = value
