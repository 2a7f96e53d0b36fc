"""`cardwright demo`: two agents with one shared plan, in about thirty lines of output.

The story is data, the model a script unless one is named; cards, actors and host are the real ones.
"""
