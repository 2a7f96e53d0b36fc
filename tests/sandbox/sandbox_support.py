"""What the tests of sandboxes share: small limits, running boxes, and a look at the host."""

import os
import shutil
import subprocess
import tarfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from cardwright.actors import ActorSystem
from cardwright.actors.proxies import ask_proxy
from cardwright.sandbox import (
    SANDBOX_ACTOR_CLASSES,
    BwrapSandboxActor,
    DockerSandboxActor,
    ExecResult,
    Limits,
    LocalSandboxActor,
    SandboxActor,
    sandbox_config,
)
from cardwright.sandbox.container import IMAGE_VARIABLE

MIB = 1024 * 1024
IMAGE = "cardwright-test:latest"
BWRAP = {"bwrap", "bwrap-of-root"}
ISOLATING = {*BWRAP, "docker"}
SECRET = "the-secret-of-the-host"
SMALL = Limits(
    cpu_s=1,
    address_space=256 * MIB,
    memory=192 * MIB,
    file_size=MIB,
    processes=64,
    scratch=4 * MIB,
)
# Programs of this machine of which the image for the containers is made.
_PROGRAMS = (
    "sh bash cat chmod cp dd echo env head id kill ln ls mkdir mknod mount perl rm setsid sleep "
    "test touch unshare wc"
)


class SmallLocal(LocalSandboxActor):
    limits = SMALL


class SmallBwrap(BwrapSandboxActor):
    limits = SMALL


class SmallPlainBwrap(BwrapSandboxActor):
    """As on a file system that cannot map owners."""

    limits = SMALL
    maps_owner = False


class SmallPodman(DockerSandboxActor):
    limits = SMALL
    engines = ("podman",)


SMALL_CLASSES: dict[str, type[SandboxActor]] = {
    "local": SmallLocal,
    "bwrap": SmallBwrap,
    "bwrap-of-root": SmallPlainBwrap,
    "docker": SmallPodman,
}


class Running:
    """A sandbox actor that lives, and the tree it works on."""

    def __init__(self, mode: str, system: ActorSystem, root: Path, *, small: bool = True) -> None:
        self.mode = mode
        self.tree = root / "box"
        chosen = SMALL_CLASSES[mode] if small else SANDBOX_ACTOR_CLASSES[mode]
        address = system.createActor(chosen, config=sandbox_config(mode, "team", "box"))
        self.address = address
        self.actor = system.proxy_ask(address, SandboxActor)
        self.actor.ready()

    def bounded(self) -> bool:
        """Whether all processes together are bounded, for which local needs a control group."""
        if self.mode != "local":
            return True
        return ask_proxy(self.address, LocalSandboxActor).bounded()

    def sh(self, script: str, timeout: float = 10.0, *words: str) -> ExecResult:
        """Run a script; `$1` and so on are `words`."""
        quoted = " ".join(_quoted(word) for word in ("sh", "-c", script, "sh", *words))
        return self.actor.exec(quoted, "", timeout)


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\"'\"'") + "'"


@contextmanager
def running(mode: str, root: Path, *, small: bool = True) -> Generator[Running]:
    """A sandbox over an empty tree below `root`, which `CARDWRIGHT_WORKSPACES_ROOT` must name."""
    system = ActorSystem()
    try:
        yield Running(mode, system, root, small=small)
    finally:
        system.shutdown()


@contextmanager
def environment(**values: str) -> Generator[None]:
    """Variables of this process, for as long as the block runs."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def trees() -> Generator[Path]:
    """A root of trees on a real file system."""
    with TemporaryDirectory(prefix="cardwright-trees-") as folder:
        root = Path(folder).resolve()
        with environment(CARDWRIGHT_WORKSPACES_ROOT=str(root), **{IMAGE_VARIABLE: IMAGE}):
            yield root


@cache
def why_not(mode: str) -> str:
    """Why a backend cannot be tested on this machine, or an empty string."""
    if mode == "docker":
        return _container_obstacle()
    return SMALL_CLASSES[mode].obstacle()


def _container_obstacle() -> str:
    if shutil.which("podman") is None:
        return "podman is not installed"
    with TemporaryDirectory() as folder:
        archive = Path(folder, "image.tar")
        _write_image(archive)
        made = subprocess.run(
            ["podman", "import", str(archive), IMAGE], capture_output=True, text=True, check=False
        )
    if made.returncode:
        return f"podman does not import an image: {made.stderr.strip()}"
    with environment(**{IMAGE_VARIABLE: IMAGE}):
        return SmallPodman.obstacle()


def _write_image(archive: Path) -> None:
    """Write a root file system made of programs of this machine and the libraries they need."""
    with tarfile.open(archive, "w") as tar:
        for link, target in (("bin", "usr/bin"), ("lib", "usr/lib")):
            entry = tarfile.TarInfo(link)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            tar.addfile(entry)
        for name in ("tmp", "proc", "dev", "sys", "workspace", "usr/bin", "usr/lib", "lib64"):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(entry)
        files: dict[str, Path] = {}
        for program in map(shutil.which, _PROGRAMS.split()):
            if program is not None:
                files[f"usr/bin/{Path(program).name}"] = Path(program)
                files.update(_libraries(program))
        for name, path in files.items():
            tar.add(path.resolve(), name, recursive=False)


def _libraries(program: str) -> dict[str, Path]:
    told = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    paths = [Path(word) for word in told.split() if word.startswith("/")]
    return {_inside(path): path for path in paths}


def _inside(path: Path) -> str:
    name = str(path).lstrip("/")
    return f"usr/{name}" if name.startswith("lib/") else name


def processes_with(mark: str) -> list[int]:
    """Ids of processes of the host whose command line holds `mark`."""
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                words = folder.joinpath("cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in words:
                found.append(int(folder.name))
    return found


def wait_until(holds: Callable[[], object], seconds: float = 10.0) -> bool:
    """Wait for something to come true and tell whether it has."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
