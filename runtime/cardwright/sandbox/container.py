"""Commands in a container of docker or podman, one for each tree of a team."""

import csv
import hashlib
import os
import shlex
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import ClassVar, Final, override
from uuid import uuid4

from .actor import SandboxActor, SandboxUnavailableError
from .config import ExecResult, SandboxConfig
from .engine import Engine, EngineError
from .engine_filter import narrowed
from .folders import INSIDE, identity_of, inner_folder
from .limits import Limits
from .processes import GroupLeftovers
from .running import Launch, guarded
from .watchdog import forget, on_death

__all__ = ["DEFAULT_IMAGE", "IMAGE_VARIABLE", "DockerSandboxActor"]

IMAGE_VARIABLE: Final = "CARDWRIGHT_SANDBOX_IMAGE"
DEFAULT_IMAGE: Final = "cardwright-sandbox:latest"

_NAME: Final = "cardwright-sandbox"
_LABEL: Final = "cardwright.tree"
_RECIPE: Final = Path(__file__).parent
# Afterwards everything else in the container is ended; this shell itself is spared. It forks
# nothing, since that may fail by then, and says its name if many remain that nobody took note of.
_ALONE: Final = (
    '"$@"; code=$?; kill -9 -1 2>/dev/null; set -- /proc/[0-9]*; '
    '[ $# -lt 32 ] || echo "$0" >&2; exit $code'
)
_SIGNALLED: Final = 128
# Of the tree's owner on the whole host; the default of an engine may be more than it may grant.
_USER_PROCESSES: Final = 4096
_IDLE: Final = ("sleep", "infinity")


class DockerSandboxActor(SandboxActor):
    """Runs commands as the owner of the tree, without capabilities, on a read-only image.

    The container lives as long as the actor. It has no network unless that is granted.
    """

    engines: ClassVar[Sequence[str]] = ("docker", "podman")
    """Programs to try, the first that answers is used."""

    _engine: Engine | None = None
    _shown: tuple[int, int] | None = None

    @classmethod
    @override
    def obstacle(cls) -> str:
        engine = Engine.answering(cls.engines)
        if engine is None:
            return f"no container engine answers; tried: {', '.join(cls.engines)}"
        image = _image()
        if image == DEFAULT_IMAGE and not engine.has_image(image):
            return ""  # built when it is first needed, which takes minutes
        try:
            engine.do("run", "--rm", *_isolation(cls.limits, network=False), image, "sh", "-c", ":")
        except EngineError as error:
            return str(error)
        return ""

    @override
    def _start_sandbox(self) -> None:
        engine = Engine.answering(self.engines)
        if engine is None:
            raise SandboxUnavailableError(self.obstacle())
        image = _image()
        if image == DEFAULT_IMAGE and not engine.has_image(image):
            _build(engine, image)
        name = _container_name(self.config)
        # One that a killed process left behind has the mounts and limits of then.
        _remove(engine, name)
        root = self.config.root.resolve()
        options = (*_mounted(name, root), *_isolation(self.limits, network=self.network))
        program = shlex.quote(engine.program)
        on_death(name, f"{program} kill {name}; {program} rm --force {name}")
        with narrowed(engine) as filtered:
            _begin(engine, image, ("run", "--detach", *options, *filtered, image, *_IDLE))
        self._engine, self._shown = engine, identity_of(root)
        self.state.container_name = name

    @override
    def _stop_sandbox(self) -> None:
        if self._engine is not None:
            _remove(self._engine, _container_name(self.config))
            forget(_container_name(self.config))
            self._engine = None

    @override
    def _exec(self, argv: Sequence[str], cwd: str, timeout: float) -> ExecResult:
        if self._engine is None:
            raise RuntimeError("the sandbox was not started")
        folder = inner_folder(self.config.root, cwd)
        if identity_of(self.config.root) != self._shown:
            self._start_sandbox()
        name, crowded = _container_name(self.config), uuid4().hex
        command = [self._engine.program, "exec", "--workdir", folder, name]
        result = guarded(
            Launch(
                argv=[*command, "/bin/sh", "-c", _ALONE, crowded, *argv],
                environment=os.environ,
                timeout=timeout,
                cancelled=self._stops,
                leftovers=lambda process: GroupLeftovers(process.pid),
            )
        )
        told = result.stderr.replace(f"{crowded}\n", "")
        if result.timed_out or result.exit_code >= _SIGNALLED or told != result.stderr:
            # The shell that ends the others may not have lived to do it.
            self._engine.do("restart", "--time=0", name)
        return result.model_copy(update={"stderr": told})


def _mounted(name: str, root: Path) -> Sequence[str]:
    owner = root.stat()
    return (
        f"--name={name}",
        f"--label={_LABEL}={root}",
        f"--user={owner.st_uid}:{owner.st_gid}",
        f"--mount={_bind(root)}",
        f"--workdir={INSIDE}",
    )


def _bind(root: Path) -> str:
    """The engines read this as a line of CSV, and a volume's as parts between colons."""
    line = StringIO()
    csv.writer(line).writerow(("type=bind", f"source={root}", f"target={INSIDE}"))
    return line.getvalue().removesuffix("\r\n")


def _isolation(limits: Limits, *, network: bool) -> Sequence[str]:
    scratch = f"/tmp:rw,nosuid,nodev,size={limits.scratch},mode=1777"  # noqa: S108 - its own
    return (
        *(() if network else ("--network=none",)),
        "--cap-drop=ALL",
        "--security-opt=no-new-privileges",
        "--read-only",
        f"--tmpfs={scratch}",
        f"--shm-size={limits.scratch}",
        "--env=HOME=/tmp",
        "--entrypoint=",
        *_bounds(limits),
    )


def _bounds(limits: Limits) -> Iterator[str]:
    yield from (f"--memory={limits.memory}", f"--pids-limit={limits.processes}")
    for name, value in (
        ("nofile", limits.open_files),
        ("fsize", limits.file_size),
        ("cpu", limits.cpu_s),
        ("core", 0),
        ("nproc", _USER_PROCESSES),
    ):
        yield f"--ulimit={name}={value}:{value}"


def _container_name(config: SandboxConfig) -> str:
    """Name the container of one tree of one team, so that two trees never share a mount."""
    scope = f"{config.team_id}\n{config.root.resolve()}"
    return f"{_NAME}-{hashlib.sha256(scope.encode()).hexdigest()[:12]}"


def _remove(engine: Engine, name: str) -> None:
    # Killed first: an engine gives what it removes 10 s to end by itself.
    engine.do("kill", name, quiet=True)
    engine.do("rm", "--force", name, quiet=True)


def _image() -> str:
    return os.environ.get(IMAGE_VARIABLE) or DEFAULT_IMAGE


def _build(engine: Engine, image: str) -> None:
    try:
        engine.build(image, _RECIPE)
    except EngineError as error:
        raise SandboxUnavailableError(
            f"The image {image} cannot be built ({error}). Set {IMAGE_VARIABLE} to one that exists."
        ) from error


def _begin(engine: Engine, image: str, words: Sequence[str]) -> None:
    try:
        engine.do(*words)
    except EngineError as error:
        raise SandboxUnavailableError(
            f"No container of the image {image} can be started ({error}). If the image is missing, "
            f"set {IMAGE_VARIABLE} to one that exists."
        ) from error
