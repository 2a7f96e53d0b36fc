# Generated from specs/exec.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Runs one program in the team's tree."""

from .card import ExecCommand, ExecTool

__all__ = ["ExecCommand", "ExecTool"]
