"""One module per command of the generator: reads options, calls the pure parts, prints.

Everything heavy is imported inside the command that needs it.
"""
