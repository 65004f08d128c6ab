"""The back doors: what the tables' stream, the queue of documents and the clock set going.

Deliveries come at least once and in any order; whatever runs here is safe to run again.
"""
