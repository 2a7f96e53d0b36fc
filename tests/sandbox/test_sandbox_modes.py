"""The choice of a backend."""

import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardwright.sandbox import (
    SANDBOX_ACTOR_CLASSES,
    BwrapSandboxActor,
    DockerSandboxActor,
    LocalSandboxActor,
    SandboxActor,
    SeatbeltSandboxActor,
    modes,
    resolve_mode,
    sandbox_class,
)
from cardwright.sandbox.box import _binary


@pytest.fixture(autouse=True)
def _forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing was probed and nobody was warned."""
    monkeypatch.setattr(modes, "_obstacles", {})
    monkeypatch.setattr(modes, "_warned", set[str]())
    _binary.cache_clear()
    yield
    _binary.cache_clear()


def obstructed(monkeypatch: pytest.MonkeyPatch, *names: str) -> list[str]:
    """Have the backends of these names fail their probe; returns who was probed."""
    probed: list[str] = []
    for name in ("bwrap", "seatbelt", "docker"):

        def probe(name: str = name) -> str:
            probed.append(name)
            return "does not work" if name in names else ""

        monkeypatch.setattr(SANDBOX_ACTOR_CLASSES[name], "obstacle", probe)
    return probed


def test_the_registry_holds_the_four_of_the_contract() -> None:
    assert {
        "local": LocalSandboxActor,
        "bwrap": BwrapSandboxActor,
        "seatbelt": SeatbeltSandboxActor,
        "docker": DockerSandboxActor,
    } == SANDBOX_ACTOR_CLASSES


def test_the_first_that_isolates_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    obstructed(monkeypatch, "bwrap", "seatbelt")
    assert resolve_mode("auto") == "docker"


def test_a_probe_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    probed = obstructed(monkeypatch, "bwrap", "seatbelt")
    assert [resolve_mode("auto") for _ in range(3)] == ["docker"] * 3
    assert probed == ["bwrap", "seatbelt", "docker"]


def test_case_56_auto_warns_once_that_local_does_not_isolate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    obstructed(monkeypatch, "bwrap", "seatbelt", "docker")
    with pytest.warns(DeprecationWarning, match="without isolation"):
        assert resolve_mode("auto") == "local"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert resolve_mode("auto") == "local"


def test_case_56_local_by_name_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert resolve_mode("local") == "local"


def test_an_unknown_mode_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="auto, bwrap, docker, local, seatbelt"):
        resolve_mode("gvisor")


def test_a_class_from_outside_is_found_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Outside(LocalSandboxActor.__base__):  # type: ignore[misc,name-defined]  # any base will do
        pass

    monkeypatch.setitem(SANDBOX_ACTOR_CLASSES, "outside", Outside)
    assert resolve_mode("outside") == "outside"
    assert issubclass(sandbox_class("outside"), SandboxActor)


def with_program(monkeypatch: pytest.MonkeyPatch, folder: Path, name: str, script: str) -> None:
    """Put a program before all others on PATH."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_trap_19_a_bubblewrap_that_does_not_isolate_is_not_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    skip = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'
    with_program(monkeypatch, tmp_path, "bwrap", skip)
    assert "bubblewrap does not run here" in BwrapSandboxActor.obstacle()


def test_trap_19_a_bubblewrap_that_fails_is_not_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with_program(monkeypatch, tmp_path, "bwrap", "echo no permission >&2; exit 1")
    assert "no permission" in BwrapSandboxActor.obstacle()


def test_without_bubblewrap_the_install_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "apt install bubblewrap" in BwrapSandboxActor.obstacle()


def test_trap_19_a_container_engine_without_a_daemon_is_not_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for engine in ("docker", "podman"):
        with_program(monkeypatch, tmp_path, engine, "echo no daemon >&2; exit 1")
    assert "no container engine answers" in DockerSandboxActor.obstacle()
