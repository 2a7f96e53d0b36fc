"""What a container engine is asked to do; the real one is in the suite of escapes."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardwright.actors import ActorSystem
from cardwright.bench import LocalTeam
from cardwright.sandbox import SandboxActor, SandboxUnavailableError, sandbox_config
from cardwright.sandbox.container import DEFAULT_IMAGE, IMAGE_VARIABLE, DockerSandboxActor
from cardwright_cards.workspace import WorkspaceExec, WorkspaceTool

# Writes down what it is asked; holds the images that $HELD names; fails at what $FAILING names.
ENGINE = """#!/bin/sh
echo "$@" >> "$ASKED"
if [ "$1" = "$FAILING" ]; then echo "cannot $1" >&2; exit 1; fi
if [ "$1" = images ]; then echo "$HELD"; fi
if [ "$1 $2" = "info --format" ]; then echo "$FILTER"; fi
if [ "$1" = run ] && [ "$FILTER" ]; then
    for word; do case "$word" in *seccomp=*) cp "${word##*=}" "$KEPT" ;; esac; done
fi
if [ "$1" = exec ]; then
    while [ "$1" != /bin/sh ]; do shift; done
    shift 4
    exec "$@"
fi
"""


class Engine:
    """A made-up engine, and the actors that use it."""

    def __init__(self, folder: Path, system: ActorSystem, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked_file = folder / "asked"
        self.system = system
        self.monkeypatch = monkeypatch
        program = folder / "bin" / "docker"
        program.parent.mkdir()
        program.write_text(ENGINE)
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv("CARDWRIGHT_WORKSPACES_ROOT", f"{folder}/trees/")
        monkeypatch.setenv("ASKED", str(self.asked_file))
        monkeypatch.delenv(IMAGE_VARIABLE, raising=False)
        self.set(HELD="", FAILING="", FILTER="")

    def set(self, **values: str) -> None:
        for name, value in values.items():
            self.monkeypatch.setenv(name, value)

    def actor(self, team: str = "team", tree: str | None = "box") -> SandboxActor:
        config = sandbox_config("docker", team, tree)
        return self.system.proxy_ask(
            self.system.createActor(DockerSandboxActor, config=config), SandboxActor
        )

    def asked(self, word: str) -> list[str]:
        lines = self.asked_file.read_text().splitlines()
        return [line for line in lines if line.split()[0] == word]


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    system = ActorSystem()
    yield Engine(tmp_path, system, monkeypatch)
    system.shutdown()


def test_case_52_an_image_of_the_variable_is_used_as_it_is(engine: Engine) -> None:
    engine.set(**{IMAGE_VARIABLE: "mine:1"})
    engine.actor().ready()
    assert engine.asked("images") == []
    assert engine.asked("build") == []
    assert engine.asked("run")[0].endswith("mine:1 sleep infinity")


def test_case_52_an_image_that_is_there_is_looked_for_once_and_not_built(engine: Engine) -> None:
    engine.set(HELD="abc123")
    engine.actor().ready()
    assert engine.asked("images") == ["images --quiet cardwright-sandbox:latest"]
    assert engine.asked("build") == []


def test_an_image_that_is_missing_is_built_from_the_recipe(engine: Engine) -> None:
    engine.actor().ready()
    (build,) = engine.asked("build")
    folder = Path(build.split()[-1])
    assert (folder / "Dockerfile").read_text().startswith("#")


def test_a_failed_build_names_the_image_and_the_variable(engine: Engine) -> None:
    engine.set(FAILING="build")
    with pytest.raises(SandboxUnavailableError, match=f"cardwright-sandbox.*{IMAGE_VARIABLE}"):
        engine.actor().ready()


@pytest.mark.parametrize("failing", ["build", "run"])
def test_an_image_that_cannot_be_had_is_one_warning_and_one_clear_text(
    engine: Engine, failing: str, caplog: pytest.LogCaptureFixture
) -> None:
    engine.set(FAILING=failing)
    with LocalTeam() as team:
        param = WorkspaceExec(mode="docker")
        agent = team.agent("@A", [WorkspaceTool(workspace_id="box", workspace_exec=param)])
        text = str(agent.call("workspace_exec", cmd="echo x"))
    assert text.count("Error") == 1, text  # the name of the failure itself
    assert f"cannot {failing}" in text
    assert DEFAULT_IMAGE in text
    assert IMAGE_VARIABLE in text
    (warned,) = [each for each in caplog.records if each.levelname in {"WARNING", "ERROR"}]
    assert warned.exc_info is None
    assert DEFAULT_IMAGE in warned.getMessage()


def test_case_52_53_the_volume_is_the_tree_without_double_slashes(
    engine: Engine, tmp_path: Path
) -> None:
    for tree, folder in (("box", "box"), (None, "team")):
        engine.actor(tree=tree).ready()
        mount = f"--mount=type=bind,source={tmp_path}/trees/{folder},target=/workspace "
        assert mount in engine.asked("run")[-1]


def test_trap_24_each_tree_of_a_team_has_its_own_container(engine: Engine) -> None:
    wanted = [("team", "a"), ("team", "b"), ("other", "a")]
    names: set[str] = set()
    for team, tree in wanted:
        actor = engine.actor(team, tree)
        actor.ready()
        name = actor.state.container_name
        assert name is not None
        assert f"--name={name} " in engine.asked("run")[-1]
        names.add(name)
    assert len(names) == len(wanted)


def test_trap_24_files_belong_to_the_owner_of_the_tree(engine: Engine, tmp_path: Path) -> None:
    engine.actor().ready()
    owner = (tmp_path / "trees/box").stat()
    assert f"--user={owner.st_uid}:{owner.st_gid} " in engine.asked("run")[0]


def test_a_container_is_shut_in_and_bounded(engine: Engine) -> None:
    engine.actor().ready()
    (run,) = engine.asked("run")
    for option in (
        "--network=none",
        "--cap-drop=ALL",
        "--security-opt=no-new-privileges",
        "--read-only",
        "--memory=1073741824",
        "--pids-limit=256",
        "--ulimit=fsize=104857600:104857600",
    ):
        assert f" {option} " in run


def test_trap_24_a_container_is_removed_when_the_actor_stops(engine: Engine) -> None:
    actor = engine.actor()
    actor.ready()
    name = actor.state.container_name
    engine.asked_file.unlink()
    engine.system.shutdown()
    assert engine.asked("kill") == [f"kill {name}"]
    assert engine.asked("rm") == [f"rm --force {name}"]


def test_everything_the_engine_is_asked_for_in_the_life_of_an_actor(engine: Engine) -> None:
    """A container of that very name, which a killed host may have left, goes first."""
    actor = engine.actor()
    actor.exec("echo hi")
    actor.exec("echo again")
    name = actor.state.container_name
    engine.system.shutdown()
    lines = engine.asked_file.read_text().splitlines()
    words = "info images build kill rm info run exec exec kill rm"
    assert [line.split()[0] for line in lines] == words.split()
    begin, end = [f"kill {name}", f"rm --force {name}"], lines[-2:]
    assert lines[3:5] == begin == end
    run, first, second = (line.split() for line in lines[6:9])
    assert run[-3:] == ["cardwright-sandbox:latest", "sleep", "infinity"]
    assert first[:4] == second[:4] == ["exec", "--workdir", "/workspace", name]
    assert first[-2:] == ["echo", "hi"]


def test_teams_whose_names_begin_alike_have_containers_of_their_own(engine: Engine) -> None:
    names: list[str | None] = []
    for team in ("x-1", "x-10"):
        actor = engine.actor(team, None)
        actor.ready()
        names.append(actor.state.container_name)
    one, ten = names
    assert one is not None
    assert ten is not None
    assert not ten.startswith(one)


def test_the_filter_of_an_engine_that_tells_where_it_is_gets_narrowed(
    engine: Engine, tmp_path: Path
) -> None:
    profile = tmp_path / "profile.json"
    rules = [
        {"names": ["read", "socket", "unshare"], "action": "SCMP_ACT_ALLOW"},
        {"names": ["keyctl"], "action": "SCMP_ACT_ALLOW"},
    ]
    profile.write_text(json.dumps({"defaultAction": "SCMP_ACT_ERRNO", "syscalls": rules}))
    engine.set(FILTER=str(profile), KEPT=str(tmp_path / "kept.json"))
    engine.actor().ready()
    (run,) = engine.asked("run")
    (option,) = [word for word in run.split() if word.startswith("--security-opt=seccomp=")]
    assert not Path(option.rpartition("=")[2]).exists()
    kept = json.loads((tmp_path / "kept.json").read_text())
    allowed = [rule for rule in kept["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW"]
    assert kept["defaultAction"] == "SCMP_ACT_ERRNO"
    assert [rule["names"] for rule in allowed] == [["read"], ["clone"], ["socket"]]
    assert {"op": "SCMP_CMP_NE", "index": 0, "value": 40} in allowed[-1]["args"]


def test_commands_run_in_the_folder_of_the_tree(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "trees/box/sub").mkdir(parents=True)
    result = engine.actor().exec("echo hi", "sub")
    assert result.stdout == "hi\n"
    assert " --workdir /workspace/sub " in engine.asked("exec")[0]
    assert engine.asked("restart") == []


@pytest.mark.parametrize(
    ("cmd", "timeout", "restarts"),
    [("sh -c 'sleep 5'", 0.2, 1), ("sh -c 'kill -9 $$'", 5.0, 1), ("sh -c 'exit 3'", 5.0, 0)],
)
def test_trap_17_a_container_is_restarted_if_a_process_may_be_left(
    engine: Engine, cmd: str, timeout: float, restarts: int
) -> None:
    engine.actor().exec(cmd, "", timeout)
    assert len(engine.asked("restart")) == restarts


def test_the_second_engine_is_used_if_the_first_has_no_daemon(
    engine: Engine, tmp_path: Path
) -> None:
    (tmp_path / "bin/podman").write_text(ENGINE)
    (tmp_path / "bin/podman").chmod(0o755)
    (tmp_path / "bin/docker").write_text("#!/bin/sh\nexit 1\n")
    engine.actor().ready()
    assert len(engine.asked("run")) == 1
