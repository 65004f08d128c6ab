"""The removal van: everything of an account as an archive, and its deletion for good.

It stands above the rooms whose things it carries, and decides nothing about what anybody may see in them.
"""
