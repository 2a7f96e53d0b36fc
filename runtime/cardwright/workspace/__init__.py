"""The workspace card: files and commands that agents share without harm.

Others touch the card, its params and the stored classes; the rest is internal.
"""
