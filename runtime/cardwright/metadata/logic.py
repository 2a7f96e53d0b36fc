"""MetadataTool's behaviour: render once, keep the text."""

import logging
from threading import Lock
from typing import final, override

from cardwright.actors import Orchestrator
from cardwright_cards.metadata.card import RenderMetadata
from cardwright_cards.metadata.contract import MetadataContract

from .template import Template, TemplateError

_logger = logging.getLogger(__name__)


@final
class MetadataLogic(MetadataContract):
    """Holds the orchestrator of its team, never the agent; binding again starts afresh."""

    _orchestrator: Orchestrator
    _template: Template
    _snapshot: str | None = None

    @override
    def bind(self) -> None:
        config = self.card.render_metadata
        if config is False:
            return
        if config is True:
            raise ValueError(
                "render_metadata=True has no template; give RenderMetadata(template=...)"
            )
        self._lock = Lock()
        self._orchestrator = self._team()
        self._template = Template.parse(config.template)
        metadata = self._orchestrator.get_metadata()
        if metadata is not None:
            self._template.check(type(metadata))

    @override
    def team_metadata(self, config: RenderMetadata) -> str:
        with self._lock:
            if self._snapshot is None:
                self._snapshot = self._rendered(config)
            return self._snapshot or ""

    def _team(self) -> Orchestrator:
        address = self.observer.orchestrator
        if address is None:
            raise ValueError("MetadataTool needs a team: its agent has no orchestrator")
        return self.observer.proxy_ask(address, Orchestrator)

    def _rendered(self, config: RenderMetadata) -> str | None:
        """The text, or None while there is none to keep."""
        try:
            metadata = self._orchestrator.get_metadata()
            if metadata is None:
                _logger.warning("MetadataTool: the team has no metadata yet, so its block is empty")
                return None
            return _headed(config.header, self._template.render(metadata))
        except TemplateError as error:
            _logger.error("MetadataTool: %s", error)  # noqa: TRY400 - the message says it all
        except Exception:
            _logger.exception("MetadataTool: the metadata could not be rendered")
        return None


def _headed(header: str | None, text: str) -> str:
    return f"**{header}**\n{text}" if header else text
