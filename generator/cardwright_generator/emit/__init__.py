"""Plans spelled out: templates, types, formatting.

`generate` is pure: it reads nothing but what it is given and writes nothing.
"""
