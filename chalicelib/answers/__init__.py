"""The reading desk: a visitor of a public page asks, a fixed pipeline answers from the knowledge that the page names.

The model chooses, the server resolves. Nothing here knows HTTP or a vendor, and nothing here writes knowledge.
"""
