"""The embedded search engine: SQLite's FTS5 in one file that many processes read and write.

It keeps and finds cards. How text becomes terms is `search.analysis`; who may see what it finds is not its business.
"""
