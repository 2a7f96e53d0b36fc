"""From specs to cards: a pure core, and one writer that brings a tree to what it says."""
