"""One batch, one worker: embeds off the store's thread."""

import logging
from typing import ClassVar

from cardwright.actors import Akgent

from .embedding import TextRefusedError, embedding_service
from .models import EmbeddingError, EmbeddingRequest, EmbeddingResult, VectorEntry

_logger = logging.getLogger(__name__)


class EmbeddingActor(Akgent):
    """Embeds the batch it is told, tells its parent the outcome, and stops."""

    # It is gone with the work: a resumed store starts anew what is pending.
    ephemeral: ClassVar[bool] = True

    def receiveMsg_EmbeddingRequest(self, request: EmbeddingRequest) -> None:
        """Do the work, report it, and stop whatever happened."""
        try:
            self._tell(self._outcome(request))
        finally:
            self.stop()

    def _outcome(self, request: EmbeddingRequest) -> EmbeddingResult | EmbeddingError:
        service = embedding_service(request.embedding_provider, request.embedding_model)
        try:
            made = service.embed_each([entry.text for entry in request.entries])
        except Exception as error:  # noqa: BLE001 - told to the store, which goes on
            return EmbeddingError(
                collection=request.collection, error=str(error), request_id=request.request_id
            )
        pairs = list(zip(request.entries, made, strict=True))
        entries = [
            VectorEntry.model_construct(
                ref_type=entry.ref_type, ref_id=entry.ref_id, text=entry.text, vector=vector
            )
            for entry, vector in pairs
            if isinstance(vector, list)
        ]
        return EmbeddingResult.model_construct(
            collection=request.collection,
            entries=entries,
            request_id=request.request_id,
            refused={it.ref_id: str(e) for it, e in pairs if isinstance(e, TextRefusedError)},
        )

    def _tell(self, outcome: EmbeddingResult | EmbeddingError) -> None:
        if self.parent is None or not self.parent.is_alive():
            _logger.warning("%r has no store to tell its result.", self)
            return
        self.parent.tell(outcome)
