"""Embeds batches within a time, again where that may help, and remembers what is out of order."""

import logging
import random
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from time import monotonic, sleep
from typing import Final

from .errors import EmbeddingFailedError, TextRefusedError, is_passing, is_refusal
from .providers import EmbeddingProvider, Kind, provider_of

_logger = logging.getLogger(__name__)

BUDGET_S: Final = 20.0
"""Seconds for one call with all its attempts; below the 30 s that a stopping team waits."""
BATCH: Final = 128
"""Texts in one request to a provider."""
MAX_CHARACTERS: Final = 20_000
"""A longer text is embedded by its beginning: models refuse texts beyond about 8,000 tokens."""
_ATTEMPTS: Final = 4
_FIRST_PAUSE_S: Final = 0.25
_LONGEST_PAUSE_S: Final = 4.0
# Seconds for which a model that cannot be used (no key, no package) is not tried again.
_OUT_OF_ORDER_S: Final = 60.0
# Refused requests of one call: enough to find two bad texts in a batch; a model that refuses
# everything is not asked about each text.
_REFUSALS: Final = 24
# Queries whose vectors are remembered.
_QUERIES: Final = 256


@dataclass(slots=True)
class _Refusals:
    """Counts what one call was refused."""

    count: int = 0
    last: TextRefusedError | None = None

    def add(self, error: TextRefusedError) -> None:
        self.count += 1
        self.last = error


class EmbeddingService:
    """Texts to vectors for any thread: bounded in time and size, repeated with growing pauses."""

    def __init__(
        self,
        provider: EmbeddingProvider,
        *,
        attempts: int = _ATTEMPTS,
        pause: Callable[[float], None] = sleep,
    ) -> None:
        """Build nothing yet.

        Args:
            provider: the model.
            attempts: how often one request is sent at most.
            pause: waits so many seconds.
        """
        self.provider = provider
        self._attempts = attempts
        self._pause = pause
        self._lock = threading.Lock()
        self._queries: OrderedDict[str, list[float]] = OrderedDict()
        self._broken: tuple[float, str] | None = None

    @property
    def name(self) -> str:
        """Identifies the model whose vectors these are."""
        return self.provider.name

    @property
    def dimension(self) -> int | None:
        """Numbers in a vector, where it is known beforehand."""
        return self.provider.dimension

    def embed(self, texts: Sequence[str], budget: float = BUDGET_S) -> list[list[float]]:
        """One vector for each text, in order.

        Raises:
            EmbeddingFailedError: some vector could not be had within `budget` seconds.
        """
        deadline = monotonic() + budget
        cut = [text[:MAX_CHARACTERS] for text in texts]
        parts = [cut[at : at + BATCH] for at in range(0, len(cut), BATCH)]
        return [vector for part in parts for vector in self._request(part, "document", deadline)]

    def embed_each(
        self, texts: Sequence[str], budget: float = BUDGET_S
    ) -> list[list[float] | EmbeddingFailedError]:
        """As `embed`, with the reason in the place of each text that the provider refuses.

        A refused batch is split into halves until the texts that it is refused for stand alone. If
        there are many of them, those that were not tried alone have a reason that is no
        `TextRefusedError`: they may be sent again.

        Raises:
            EmbeddingFailedError: there was no time, or none of several texts has a vector: then it
                is hardly the fault of the texts.
        """
        deadline = monotonic() + budget
        cut = [text[:MAX_CHARACTERS] for text in texts]
        refusals = _Refusals()
        made = [
            one
            for at in range(0, len(cut), BATCH)
            for one in self._split(cut[at : at + BATCH], deadline, refusals)
        ]
        reason = refusals.last
        if reason is not None and len(made) > 1 and not any(isinstance(it, list) for it in made):
            raise EmbeddingFailedError(f"all of {len(made)} texts were refused: {reason}")
        return made

    def embed_query(self, text: str, budget: float = BUDGET_S) -> list[float]:
        """The vector of a query; lately asked ones are remembered.

        Raises:
            EmbeddingFailedError: it could not be had within `budget` seconds.
        """
        with self._lock:
            if (known := self._queries.get(text)) is not None:
                self._queries.move_to_end(text)
                return known
        (vector,) = self._request([text[:MAX_CHARACTERS]], "query", monotonic() + budget)
        with self._lock:
            self._queries[text] = vector
            while len(self._queries) > _QUERIES:
                self._queries.popitem(last=False)
        return vector

    def _split(
        self, texts: list[str], deadline: float, refusals: "_Refusals"
    ) -> list[list[float] | EmbeddingFailedError]:
        """Vectors of a batch, or of its halves if it is refused."""
        if refusals.count >= _REFUSALS:
            said = f"not tried, as {_REFUSALS} requests were refused: {refusals.last}"
            return [EmbeddingFailedError(said) for _ in texts]
        try:
            return list(self._request(texts, "document", deadline))
        except TextRefusedError as error:
            refusals.add(error)
            if len(texts) == 1:
                return [error]
        half = len(texts) // 2
        first = self._split(texts[:half], deadline, refusals)
        return [*first, *self._split(texts[half:], deadline, refusals)]

    def _request(self, texts: list[str], kind: Kind, deadline: float) -> list[list[float]]:
        self._refuse_broken()
        for attempt in range(self._attempts):
            try:
                return self._once(texts, kind, deadline)
            except EmbeddingFailedError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever a client raises is said below
                self._judge(error, attempt, deadline)
        raise AssertionError("the last attempt returns or raises")

    def _once(self, texts: list[str], kind: Kind, deadline: float) -> list[list[float]]:
        left = deadline - monotonic()
        if left <= 0:
            raise EmbeddingFailedError("no time was left to embed anything")
        vectors = self.provider.embed(texts, kind, left)
        if len(vectors) != len(texts):
            raise EmbeddingFailedError(
                f"{self.name} answered {len(vectors)} vectors for {len(texts)} texts"
            )
        return vectors

    def _judge(self, error: Exception, attempt: int, deadline: float) -> None:
        """Wait for the next attempt, or say that there is none."""
        said = f"{self.name} failed: {type(error).__name__}: {error}"
        if not is_passing(error):
            self._broken = (monotonic() + _OUT_OF_ORDER_S, said) if _is_lasting(error) else None
            raise (TextRefusedError if is_refusal(error) else EmbeddingFailedError)(said) from error
        wait = min(_FIRST_PAUSE_S * 2**attempt, _LONGEST_PAUSE_S) * random.uniform(0.5, 1.0)  # noqa: S311 - spreads retries
        if attempt + 1 >= self._attempts or monotonic() + wait >= deadline:
            raise EmbeddingFailedError(f"{said} (after {attempt + 1} attempts)") from error
        _logger.info("embedding is tried again in %.2f s: %s", wait, said)
        self._pause(wait)

    def _refuse_broken(self) -> None:
        broken = self._broken
        if broken is not None and monotonic() < broken[0]:
            raise EmbeddingFailedError(broken[1])


def _is_lasting(error: Exception) -> bool:
    """Whether no other text would fare better: the model cannot be used as it is set up."""
    lasting = {"UserError", "OpenAIError", "AuthenticationError", "PermissionDeniedError"}
    status = getattr(error, "status_code", None)
    return isinstance(error, ImportError) or type(error).__name__ in lasting or status in (401, 403)


@cache
def embedding_service(provider: str, model: str) -> EmbeddingService:
    """The service of this process for a model: clients and remembered queries are shared."""
    return EmbeddingService(provider_of(provider, model))
