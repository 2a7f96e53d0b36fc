"""A checked spec resolved into the plan that templates read.

Nothing here writes a file or renders a template: `plan_card` decides, `emit` spells out.
"""
