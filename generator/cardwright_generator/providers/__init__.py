"""What each model provider is sent for a tool, and what its form of JSON Schema cannot say.

The forms are pydantic-ai's own; nothing is sent, and no key is needed.
"""

from .losses import Loss, losses_of
from .wire import DIALECTS, Dialect, InexpressibleError, Sent, sent

__all__ = ["DIALECTS", "Dialect", "InexpressibleError", "Loss", "Sent", "losses_of", "sent"]
