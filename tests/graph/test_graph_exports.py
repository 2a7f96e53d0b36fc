"""Each name that decisions.md lists for `cardwright.graph` is there and means it."""

import pytest
from pydantic import BaseModel

import cardwright.graph as room
from cardwright.actors import Akgent
from cardwright.core import BaseToolParam, Channels, ToolCard

PARAMS = {
    "GetGraph": {Channels.LLM_CONTEXT, Channels.COMMAND},
    "UpdateGraph": {Channels.TOOL_CALL},
    "SearchGraph": {Channels.TOOL_CALL, Channels.COMMAND},
}
_EVENT = ("entities_added", "entities_modified", "entities_removed")
_RELATIONS = ("relations_added", "relations_modified", "relations_removed")
_ENTITY: dict[str, object] = dict.fromkeys(("name", "entity_type", "description"), ...)
_RELATION: dict[str, object] = dict.fromkeys(("from_entity", "to_entity", "relation_type"), ...)
MODELS: dict[str, dict[str, object]] = {
    "Entity": {**_ENTITY, "observations": [], "is_root": False},
    "EntityCreate": {**_ENTITY, "observations": [], "is_root": False},
    "EntityUpdate": {"name": ..., "description": None, "add_observations": None, "is_root": None},
    "Relation": {**_RELATION, "description": ""},
    "RelationCreate": {**_RELATION, "description": ""},
    "RelationDelete": _RELATION,
    "ManageGraph": {"create_entities": [], "delete_entities": [], "delete_relations": []},
    "KnowledgeGraph": {"entities": [], "relations": []},
    "KnowledgeGraphState": {},
    "PathStep": {"relation_type": ..., "to_entity": ...},
    "GetGraphQuery": {"entity_names": [], "depth": None, "roots_only": False, "path": []},
    "GraphView": {"entities": [], "relations": []},
    "SearchQuery": {"query": ..., "top_k": None, "mode": "hybrid", "find_paths": False},
    "SearchHit": {"ref_type": ..., "ref_id": ..., "score": ..., "entity": None, "relation": None},
    "SearchResult": {"hits": [], "neighbors": [], "connected_relations": [], "paths": []},
    "KnowledgeGraphStateEvent": {key: [] for key in (*_EVENT, *_RELATIONS)},
    "KnowledgeGraphSummaryState": {"entity_count": ..., "roots": ..., "include_schema": ...},
    "RootRow": {"name": ..., "entity_type": ..., "description": ...},
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_the_fields_and_defaults_of_the_contract(name: str) -> None:
    model = getattr(room, name)
    assert name in room.__all__
    assert issubclass(model, BaseModel)
    for field, default in MODELS[name].items():
        found = model.model_fields[field]
        assert found.is_required() if default is ... else found.get_default() == default


def test_the_card_its_three_params_and_the_actor() -> None:
    assert issubclass(room.KnowledgeGraphTool, ToolCard)
    for name, channels in PARAMS.items():
        param = getattr(room, name)
        assert issubclass(param, BaseToolParam)
        assert param().expose == channels
    assert room.KG_ACTOR_NAME == "#KnowledgeGraphTool"
    assert issubclass(room.KnowledgeGraphActor, Akgent)
    card = room.KnowledgeGraphTool()
    facts = (card.vector_store, card.search_top_k, card.search_score_threshold, card.hybrid_alpha)
    assert facts == (True, 10, 0.3, 0.7)
