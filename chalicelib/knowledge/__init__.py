"""The shelves: bases, items and revisions; writing, publishing, reading by address, deleting for good.

Publishing writes a record; the search index follows by itself. Nothing here searches or extracts files.
"""
