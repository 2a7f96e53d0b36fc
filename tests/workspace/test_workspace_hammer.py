"""Sixteen agents of two teams change twenty files at once, and no accepted update is lost."""

import os
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

from tests.workspace.workspace_support import Team, files_below

from cardwright.actors import ActorSystem
from cardwright.workspace.actor import WorkspaceActor
from cardwright.workspace.files import Tree
from cardwright.workspace.gate import Edit, MutationOutcome, MutationStatus, Observation
from cardwright.workspace.refusals import Refusal

AGENTS, FILES = 16, 20
# The whole minute: CARDWRIGHT_HAMMER_SECONDS=60 pytest -n0 tests/workspace/test_workspace_hammer.py
SECONDS = float(os.environ.get("CARDWRIGHT_HAMMER_SECONDS", "2.5"))


class Worker:
    """One agent: it reads, adds a line that nobody else has, and tries again when refused."""

    def __init__(self, number: int, tree: Tree, actor: WorkspaceActor) -> None:
        self.name = f"agent-{number}"
        self.random = random.Random(number)
        self.tree, self.actor = tree, actor
        self.accepted: list[tuple[str, str]] = []
        self.refused = 0
        self.count = 0

    def work(self, until: float) -> None:
        while monotonic() < until:
            paths = self.random.sample([f"f{n}.txt" for n in range(FILES)], 2)
            kind = self.random.choice(["write", "edit", "multi_edit", "patch"])
            self.change(kind, paths if kind == "multi_edit" else paths[:1])

    def change(self, kind: str, paths: list[str]) -> None:
        self.count += 1
        line = f"{self.name} {self.count}"
        try:
            texts = [self.read(path) for path in paths]
        except Refusal:
            return
        outcome = self.asked(kind, paths, texts, line)
        if outcome.status is MutationStatus.ACCEPTED:
            self.accepted += [(path, line) for path in paths]
        else:
            self.refused += 1

    def read(self, path: str) -> str:
        blob = self.tree.read(path)
        seen = Observation(blob.sha, full=True, identity=blob.facts.identity)
        self.actor.record_observation(self.name, blob.path, seen)
        return blob.data.decode()

    def asked(self, kind: str, paths: list[str], texts: list[str], line: str) -> MutationOutcome:
        path, text = paths[0], texts[0]
        last = text.splitlines()[-1]
        edits = [
            Edit(each, f"{known.splitlines()[-1]}\n", f"{known.splitlines()[-1]}\n{line}\n")
            for each, known in zip(paths, texts, strict=True)
        ]
        match kind:
            case "write":
                return self.actor.apply_write(self.name, path, f"{text}{line}\n")
            case "edit":
                return self.actor.apply_edit(self.name, edits[0])
            case "multi_edit":
                return self.actor.apply_multi_edit(self.name, edits)
            case _:
                at = len(text.splitlines())
                hunk = f"@@ -{at},1 +{at},2 @@\n {last}\n+{line}\n"
                return self.actor.apply_patch(self.name, f"--- a/{path}\n+++ b/{path}\n{hunk}")


def test_no_accepted_update_is_lost(trees: Path, team: Team) -> None:
    (trees / "box").mkdir()
    for number in range(FILES):
        (trees / "box" / f"f{number}.txt").write_text("first line\n")
    other = ActorSystem()
    try:
        actors = [team.tree(journal=False), Team(other).tree(journal=False)]
        tree = Tree(trees / "box")
        workers = [Worker(number, tree, actors[number % 2]) for number in range(AGENTS)]
        until = monotonic() + SECONDS
        with ThreadPoolExecutor(AGENTS) as pool:
            for done in [pool.submit(worker.work, until) for worker in workers]:
                done.result()
    finally:
        other.shutdown()
    found = Counter(
        (path, line)
        for path, data in files_below(trees / "box").items()
        for line in data.decode().splitlines()
        if line != "first line"
    )
    accepted = Counter(update for worker in workers for update in worker.accepted)
    assert found == accepted
    assert len(accepted) > 100
    assert sum(worker.refused for worker in workers) > 0, "nobody was ever in another's way"
