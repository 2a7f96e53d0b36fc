"""The actor that stands for a person."""

import logging
from typing import ClassVar

from cardwright.actors.akgent import Akgent
from cardwright.actors.errors import WarningError
from cardwright.actors.messages import Message, ResultMessage, UserMessage

__all__ = ["UserProxy"]

logger = logging.getLogger(__name__)


class UserProxy(Akgent):
    """Stands for a person in a team: what the person answers goes to whoever asked."""

    is_user_proxy: ClassVar[bool] = True

    def process_human_input(self, content: str, message: Message) -> None:
        """Answer `message` with what the person wrote.

        Raises:
            WarningError: nobody sent that message.
        """
        if message.sender is None:
            text = "The message has no sender to answer."
            raise WarningError(text)
        self.send(message.sender, ResultMessage(content=content))

    def receiveMsg_UserMessage(self, _message: UserMessage) -> None:
        """Only log it: the person reads messages elsewhere."""
        logger.info("%s has a message for its person.", self.config.name)
