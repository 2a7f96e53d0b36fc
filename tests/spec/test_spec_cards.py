"""On paper: every card of the contracts can be said in the language (fixtures in `cards/`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from cardwright_generator.spec import Catalogue, load_specs, render_plain
from cardwright_generator.spec.language import CardSpec, ObserverSpec
from cardwright_generator.spec.references import Reference, candidates

CARDS = Path(__file__).parent / "cards"
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Project:
    """The observer of the mailbox names messages of the actor layer."""

    python_modules: tuple[str, ...] = ("cardwright.actors.messages",)


def read(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_specs(read(CARDS), Project())


@pytest.fixture(scope="module")
def cards(catalogue: Catalogue) -> Mapping[str, CardSpec]:
    return {one.spec.card: one.spec for one in catalogue.cards}


def test_every_card_of_the_contracts_loads_without_a_word(catalogue: Catalogue) -> None:
    assert render_plain(catalogue.diagnostics, read(CARDS)) == ""
    assert {one.spec.card for one in catalogue.cards} == {
        "ExecTool",
        "KnowledgeGraphTool",
        "MCPTool",
        "MailboxTool",
        "MetadataTool",
        "ModelTool",
        "NotificationTool",
        "PlanningTool",
        "SearchTool",
        "SkillTool",
        "TeamTool",
        "VectorStoreTool",
        "WorkspaceTool",
    }


def test_the_specs_of_this_project_load_without_a_word() -> None:
    files = {f"specs/{name}": text for name, text in read(ROOT / "specs").items()}
    found = load_specs(files, Project())
    assert render_plain(found.diagnostics, files) == ""


def test_a_conditional_argument(cards: Mapping[str, CardSpec]) -> None:
    activity = cards["TeamTool"].capabilities["get_team_activity"]
    argument = activity.endpoints["team_activity"].arguments["summarize_over"]
    assert (argument.when, argument.has_default, argument.default) == ("summarizer", True, None)
    assert cards["TeamTool"].actors["activity"].when == "get_team_activity.summarizer"


def test_defaults_from_configuration(cards: Mapping[str, CardSpec]) -> None:
    search = cards["SearchTool"]
    endpoint = search.capabilities["web_fetch"].endpoints["web_fetch"]
    sources = {name: one.default_from for name, one in endpoint.arguments.items()}
    assert sources == {
        "urls": None,
        "query": None,
        "chunks_per_source": "chunks_per_source",
        "timeout": "timeout",
        "extract_depth": "extract_depth",
    }
    (found,) = candidates(search, "timeout", "web_fetch")
    assert found == Reference(
        "config", "timeout", "web_fetch", search.capabilities["web_fetch"].config["timeout"]
    )


def test_different_callables_per_channel(cards: Mapping[str, CardSpec]) -> None:
    endpoints = cards["TeamTool"].capabilities["hire_team_members"].endpoints
    assert {key: one.channels for key, one in endpoints.items()} == {
        "hire_members": ["tool_call"],
        "hire_member": ["command"],
    }
    graph = cards["KnowledgeGraphTool"].capabilities["search"].endpoints
    assert [one.name or key for key, one in graph.items()] == ["search_graph", "search_graph"]


def test_read_only_gates(cards: Mapping[str, CardSpec]) -> None:
    gated = [
        key
        for key, one in cards["WorkspaceTool"].capabilities.items()
        if one.when == "not read_only"
    ]
    assert gated == [
        f"workspace_{name}"
        for name in ("write", "delete", "edit", "multi_edit", "patch", "mkdir", "exec")
    ]


def test_actors_named_from_configuration(cards: Mapping[str, CardSpec]) -> None:
    assert cards["WorkspaceTool"].actors["tree"].name == "#Workspace-{workspace_id|team_id}"
    assert cards["VectorStoreTool"].actors["store"].name == "{vector_store_name}"


def test_a_dependency_whose_strength_is_configured(cards: Mapping[str, CardSpec]) -> None:
    for name in ("PlanningTool", "KnowledgeGraphTool"):
        (dependency,) = cards[name].depends_on
        assert (dependency.card, dependency.named_by) == ("VectorStoreTool", "vector_store")


def test_a_toolset_and_cards_without_endpoints(cards: Mapping[str, CardSpec]) -> None:
    assert cards["MCPTool"].toolset is not None
    assert cards["MCPTool"].capabilities == {} == cards["VectorStoreTool"].capabilities
    assert cards["VectorStoreTool"].toolset is None


def test_a_deprecated_card(cards: Mapping[str, CardSpec]) -> None:
    assert cards["ExecTool"].deprecated is not None


def test_own_observers_and_none(cards: Mapping[str, CardSpec]) -> None:
    observers = {name: one.observer for name, one in cards.items()}
    own = {name: one.name for name, one in observers.items() if isinstance(one, ObserverSpec)}
    assert own == {
        "MailboxTool": "MailboxToolObserver",
        "ModelTool": "ModelSwitchToolObserver",
        "TeamTool": "TeamManagementToolObserver",
    }
    assert [name for name, one in observers.items() if one == "none"] == [
        "MCPTool",
        "SearchTool",
        "SkillTool",
    ]


def test_a_capability_that_is_off_because_it_must_be_configured(
    cards: Mapping[str, CardSpec],
) -> None:
    metadata = cards["MetadataTool"].capabilities["render_metadata"]
    assert metadata.default is False
    assert not metadata.config["template"].has_default


def test_stored_names_that_moved(cards: Mapping[str, CardSpec]) -> None:
    assert cards["SkillTool"].capabilities["skills"].renamed_from == "param"
    (step,) = cards["SearchTool"].capabilities["web_search"].migrate["search_depth"]
    assert (step.from_, step.to) == (None, "basic")


def test_a_reference_is_resolved_from_its_file(catalogue: Catalogue) -> None:
    found = catalogue.resolve("common.yaml#/types/CollectionConfig", "planning.yaml")
    assert found is not None
    assert list(found.properties or ()) == [
        "dimension",
        "backend",
        "persistence",
        "workspace_path",
        "tenant",
    ]
    assert catalogue.resolve("#/types/CollectionConfig", "planning.yaml") is None
    assert catalogue.resolve("nonsense", "planning.yaml") is None
