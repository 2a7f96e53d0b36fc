"""What happens inside a transaction: the rules of the store, written once for every database.

Each function takes an open `Session`; nothing here knows which database it speaks to.
"""
