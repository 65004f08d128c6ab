"""Answers without a language model: rules, retrieval, and the page's own sentences.

Nothing is worded anew. What is found is shown as it was written, in the component that fits its form.
"""
