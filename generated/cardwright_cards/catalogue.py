# Generated from specs/: do not edit.
# Change the spec, then run: cardwright generate
"""Tables of what this package declares; reading them imports no card."""

CARDS: dict[str, str] = {
    "MCPTool": "cardwright_cards.mcp.card:MCPTool",
    "MetadataTool": "cardwright_cards.metadata.card:MetadataTool",
    "PlanningTool": "cardwright_cards.planning.card:PlanningTool",
    "SearchTool": "cardwright_cards.search.card:SearchTool",
    "SkillTool": "cardwright_cards.skill.card:SkillTool",
    "VectorStoreTool": "cardwright_cards.vector_store.card:VectorStoreTool",
}
"""Class of each card -> where it is."""

TYPES: dict[str, str] = {
    "cardwright.planning.actor.PlanActor": "cardwright.planning.actor:PlanActor",
    "cardwright.planning.context.PlanningState": "cardwright.planning.context:PlanningState",
    "cardwright.planning.state.PlanManagerState": "cardwright.planning.state:PlanManagerState",
    "cardwright.planning.tasks.Task": "cardwright.planning.tasks:Task",
    "cardwright.vectors.actor.VectorStoreActor": "cardwright.vectors.actor:VectorStoreActor",
    "cardwright.vectors.models.CollectionRecord": "cardwright.vectors.models:CollectionRecord",
    "cardwright.vectors.models.EmbeddingError": "cardwright.vectors.models:EmbeddingError",
    "cardwright.vectors.models.EmbeddingRequest": "cardwright.vectors.models:EmbeddingRequest",
    "cardwright.vectors.models.EmbeddingResult": "cardwright.vectors.models:EmbeddingResult",
    "cardwright.vectors.models.PendingEntry": "cardwright.vectors.models:PendingEntry",
    "cardwright.vectors.models.SearchHit": "cardwright.vectors.models:SearchHit",
    "cardwright.vectors.models.SearchResult": "cardwright.vectors.models:SearchResult",
    "cardwright.vectors.models.VectorEntry": "cardwright.vectors.models:VectorEntry",
    "cardwright.vectors.models.VectorStoreConfig": "cardwright.vectors.models:VectorStoreConfig",
    "cardwright.vectors.models.VectorStoreState": "cardwright.vectors.models:VectorStoreState",
    "cardwright_cards.mcp.card.MCPTool": "cardwright_cards.mcp.card:MCPTool",
    "cardwright_cards.metadata.card.MetadataTool": "cardwright_cards.metadata.card:MetadataTool",
    "cardwright_cards.metadata.card.RenderMetadata": "cardwright_cards.metadata.card:RenderMetadata",
    "cardwright_cards.planning.card.GetPlanning": "cardwright_cards.planning.card:GetPlanning",
    "cardwright_cards.planning.card.GetPlanningTask": "cardwright_cards.planning.card:GetPlanningTask",
    "cardwright_cards.planning.card.PlanningTool": "cardwright_cards.planning.card:PlanningTool",
    "cardwright_cards.planning.card.SearchPlanning": "cardwright_cards.planning.card:SearchPlanning",
    "cardwright_cards.planning.card.UpdatePlanning": "cardwright_cards.planning.card:UpdatePlanning",
    "cardwright_cards.planning.types.PlanningStateBase": "cardwright_cards.planning.types:PlanningStateBase",
    "cardwright_cards.planning.types.TaskBase": "cardwright_cards.planning.types:TaskBase",
    "cardwright_cards.planning.types.TaskCreate": "cardwright_cards.planning.types:TaskCreate",
    "cardwright_cards.planning.types.TaskRow": "cardwright_cards.planning.types:TaskRow",
    "cardwright_cards.planning.types.TaskUpdate": "cardwright_cards.planning.types:TaskUpdate",
    "cardwright_cards.planning.types.UpdatePlan": "cardwright_cards.planning.types:UpdatePlan",
    "cardwright_cards.search.card.SearchTool": "cardwright_cards.search.card:SearchTool",
    "cardwright_cards.search.card.WebCrawl": "cardwright_cards.search.card:WebCrawl",
    "cardwright_cards.search.card.WebFetch": "cardwright_cards.search.card:WebFetch",
    "cardwright_cards.search.card.WebSearch": "cardwright_cards.search.card:WebSearch",
    "cardwright_cards.skill.card.SkillTool": "cardwright_cards.skill.card:SkillTool",
    "cardwright_cards.skill.card.Skills": "cardwright_cards.skill.card:Skills",
    "cardwright_cards.skill.types.SkillEntry": "cardwright_cards.skill.types:SkillEntry",
    "cardwright_cards.vector_store.card.VectorStoreTool": "cardwright_cards.vector_store.card:VectorStoreTool",
}
"""Name of each type in stored data, old names included -> the class of today."""
