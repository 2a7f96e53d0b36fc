"""What a spec declares and no code uses: configuration, failures, events, variables, methods.

Values are followed from the logic through the code of the project; nothing is imported.
"""

from .findings import dead_parts

__all__ = ["dead_parts"]
