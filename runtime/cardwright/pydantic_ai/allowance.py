"""What one run may still do: repairs of refused arguments, and calls."""

from pydantic_ai import ToolFailed
from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.models import ModelRequestContext

from cardwright.bench import LocalAgent
from cardwright.tools import (
    CallLimitError,
    CallLimits,
    RepairConfig,
    ToolArgumentValidationError,
)
from cardwright.tools.repair import CallCount, RepairBudget


class Allowance:
    """The budgets of one run of one agent."""

    def __init__(self, agent: LocalAgent, repair: RepairConfig | None, limits: CallLimits) -> None:
        self._agent = agent
        self._budget = None if repair is None else RepairBudget(repair, agent.name)
        self._count = CallCount(limits)
        self._refused: CallLimitError | None = None

    def admit(self, request: ModelRequestContext, response: ModelResponse) -> None:
        """Count the calls of a turn, those that end the run excepted.

        Raises:
            CallLimitError: They are more than the run may make.
        """
        outputs = {tool.name for tool in request.model_request_parameters.output_tools}
        calls = [
            part
            for part in response.parts
            if isinstance(part, ToolCallPart) and part.tool_name not in outputs
        ]
        self._refused = None
        try:
            self._count.admit(len(calls))
        except CallLimitError as error:
            if not error.correctable:
                raise
            self._refused = error

    def refuse_turn(self) -> None:
        """Refuse a call of a turn that makes too many.

        Raises:
            ToolFailed: It does; the model is told how many it may make.
        """
        if self._refused is not None:
            raise ToolFailed(str(self._refused))

    def repair(self, call: ToolCallPart, error: Exception) -> None:
        """Take a refusal of arguments out of the budget and publish which repair it is.

        Raises:
            RepairBudgetSpentError: There is none left.
        """
        refused = error.__cause__
        if self._budget is None or not isinstance(refused, ToolArgumentValidationError):
            return
        refused.call_id = refused.call_id or call.tool_call_id
        self._agent.member.notify_event(self._budget.spend(refused))
