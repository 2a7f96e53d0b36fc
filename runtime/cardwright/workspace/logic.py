"""WorkspaceTool's behaviour: reads on the caller's thread, changes as turns of the tree's actor."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from typing import final, override

from cardwright.actors import ActorConflictError
from cardwright.core import TOOL_CALL, ActorAddress, CallContext, MediaContent
from cardwright.sandbox.roots import tree_root
from cardwright_cards.workspace.card import (
    WorkspaceExec,
    WorkspaceGlob,
    WorkspaceGrep,
    WorkspaceList,
    WorkspaceRead,
    WorkspaceView,
)
from cardwright_cards.workspace.contract import WorkspaceContract
from cardwright_cards.workspace.types import DocumentReader, EditItem

from .actor import WorkspaceActor
from .execution import collect, prepare_execution, run_command
from .files import Tree
from .finding import glob_files, grep, list_directory
from .gate import Edit, MutationOutcome, MutationStatus, Observation
from .reading import Seen, expand_media_refs, read_page, render_view
from .refusals import Refusal
from .seeding import seed
from .state import WorkspaceConfig

logger = logging.getLogger(__name__)

# Seconds for a change to get its turn, and for its answer.
TURN_SECONDS = 50.0
ASK_SECONDS = 60.0


@final
class WorkspaceLogic(WorkspaceContract):
    """Reads and changes one tree on behalf of one agent."""

    _tree: Tree
    _agent: str
    _changes: WorkspaceActor
    _reports: WorkspaceActor

    @override
    def bind(self) -> None:
        observer = self.observer
        if observer.orchestrator is None:
            raise ValueError("WorkspaceTool needs a team: its agent has no orchestrator")
        name = self.card.workspace_id or str(observer.team_id)
        root = tree_root(name)
        root.mkdir(parents=True, exist_ok=True)
        self._tree = Tree(root)
        seed(self._tree, self.card.resources)
        address = self._tree_actor(name)
        self._changes = observer.proxy_ask(address, WorkspaceActor, timeout=ASK_SECONDS)
        self._reports = observer.proxy_tell(address, WorkspaceActor)
        self._agent = str(observer.myAddress.agent_id)
        self._reports.register_agent(self._agent, observer.myAddress.name)
        if self._runs_commands():
            prepare_execution(self, self._changes)

    def _tree_actor(self, name: str) -> ActorAddress:
        """The living actor of the tree, or a new one: the first card decides about the journal."""
        wanted = WorkspaceConfig(workspace_name=name, git_journal=self.card.git_journal)
        try:
            return self.tree_actor(wanted)
        except ActorConflictError:
            _tell_of_journal(name, wanted=wanted.git_journal)
            return self.tree_actor(
                wanted.model_copy(update={"git_journal": not wanted.git_journal})
            )

    def _runs_commands(self) -> bool:
        param = self.card.workspace_exec
        if self.card.read_only or param is False:
            return False
        return param is True or TOOL_CALL in param.expose

    @override
    def workspace_read(
        self,
        config: WorkspaceRead,
        *,
        path: str,
        offset: int,
        limit: int,
        force_document_regeneration: bool,
    ) -> str:
        with self._translated():
            reading = read_page(
                self._tree,
                path,
                offset=offset,
                limit=limit,
                force=force_document_regeneration,
                reader=_reader(config.document_reader),
            )
        self._saw(reading.seen)
        return reading.text

    @override
    def workspace_list(self, config: WorkspaceList, *, path: str, depth: int) -> str:
        with self._translated():
            return list_directory(self._tree, path, depth)

    @override
    def workspace_glob(self, config: WorkspaceGlob, *, pattern: str, path: str) -> str:
        with self._translated():
            return glob_files(self._tree, pattern, path, max_results=config.max_results)

    @override
    def workspace_grep(
        self, config: WorkspaceGrep, *, pattern: str, path: str, include: str
    ) -> str:
        with self._translated():
            return grep(
                self._tree,
                pattern,
                path,
                include,
                max_results=config.max_results,
                max_line_length=config.max_line_length,
            )

    @override
    def workspace_view(self, config: WorkspaceView, *, path: str) -> MediaContent:
        with self._translated():
            media, seen = render_view(self._tree, path, max_dimension=config.max_dimension)
        self._saw(seen)
        return media

    @override
    def workspace_write(self, *, path: str, content: str) -> str:
        return self._answer(self._changes.apply_write(self._agent, path, content, self._bounded()))

    @override
    def workspace_delete(self, *, path: str) -> str:
        return self._answer(self._changes.apply_delete(self._agent, path, self._bounded()))

    @override
    def workspace_edit(
        self, *, path: str, old_string: str, new_string: str, replace_all: bool
    ) -> str:
        edit = Edit(path, old_string, new_string, replace_all)
        return self._answer(self._changes.apply_edit(self._agent, edit, self._bounded()))

    @override
    def workspace_multi_edit(self, *, edits: list[EditItem]) -> str:
        wanted = [
            Edit(each.path, each.old_string, each.new_string, each.replace_all) for each in edits
        ]
        return self._answer(self._changes.apply_multi_edit(self._agent, wanted, self._bounded()))

    @override
    def workspace_patch(self, *, patch_text: str) -> str:
        return self._answer(self._changes.apply_patch(self._agent, patch_text, self._bounded()))

    @override
    def workspace_mkdir(self, *, path: str) -> str:
        return self._answer(self._changes.apply_mkdir(self._agent, path, self._bounded()))

    @override
    def workspace_exec(self, config: WorkspaceExec, *, cmd: str, cwd: str) -> str:
        with self._translated():
            return run_command(self._changes, self._agent, config, cmd, cwd, self._bounded())

    @override
    def workspace_exec_result(self, config: WorkspaceExec, *, run_id: str) -> str:
        with self._translated():
            return collect(self._changes, self._agent, config, run_id)

    @override
    def expand_media_refs(self, *, prompt: str) -> list[str | MediaContent]:
        with self._translated():
            return expand_media_refs(self._tree, prompt)

    def _saw(self, seen: Seen) -> None:
        """Told before the answer goes out, so that it comes before any change based on it."""
        shown = ((seen.first, seen.last),) if seen.last >= seen.first > 0 else ()
        observation = Observation(seen.sha, seen.full, seen.identity, shown, seen.total)
        self._reports.record_observation(self._agent, seen.path, observation, seen.content)

    def _bounded(self) -> CallContext:
        """The call, which may not change anything once nobody waits for its answer any more."""
        limit = monotonic() + TURN_SECONDS
        return replace(self.call, deadline=min(self.call.deadline or limit, limit))

    def _answer(self, outcome: MutationOutcome) -> str:
        if outcome.status is MutationStatus.REJECTED and outcome.failure is not None:
            raise self.retry(outcome.failure, outcome.message)
        return outcome.message

    @contextmanager
    def _translated(self) -> Generator[None]:
        try:
            yield
        except Refusal as refused:
            raise self.retry(refused.failure, str(refused)) from refused


def _tell_of_journal(name: str, *, wanted: bool) -> None:
    """Only who asked for a journal misses something: a card that names none says nothing of it."""
    if wanted:
        logger.warning(
            "Workspace %s has no journal, although this card has git_journal=True: the first card "
            "of the tree decides. Set git_journal=True on that card.",
            name,
        )
    else:
        logger.info("Workspace %s keeps the journal setting of its first card.", name)


def _reader(configured: DocumentReader | bool) -> DocumentReader | None:
    if isinstance(configured, bool):
        return DocumentReader() if configured else None
    return configured
