"""The words: ids, spaces and roles, bases, items, revisions, their life cycle and canonical text.

Pure values and rules. No input, no output, no clock of its own; every other room may import this one.
"""
