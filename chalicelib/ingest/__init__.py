"""The loading bay: files become canonical Markdown, documents become items.

Text and code are read here; documents are parsed in a child process with limits. Nothing here decides who may see
an item, and nothing here searches.
"""
