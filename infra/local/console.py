"""A look at the console as a browser takes it: the page, and all its files, several at once.

It tells that the console works, and the functions that answer a browser's first requests are warm when a person comes.
"""

import re
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urljoin

from infra.deployment import DeploymentError

_AT_ONCE = 6
"""Connections that a browser opens to one host."""
_NAMED = re.compile(r'(?:\bfrom|\bimport\(?)\s*"\./([\w.-]+\.js)"')
_LINKED = re.compile(r'(?:href|src)="([^"]+/assets/[^"]+)"')


def visit(page_url: str) -> int:
    """Fetch the console and whatever it names; returns how many files that were. Raises DeploymentError."""
    seen: set[str] = set()
    fresh = {urljoin(page_url, each) for each in _LINKED.findall(_text(page_url))}
    with ThreadPoolExecutor(_AT_ONCE) as workers:
        while fresh:
            seen |= fresh
            texts = zip(fresh, workers.map(_text, fresh), strict=True)
            fresh = {urljoin(where, each) for where, text in texts for each in _NAMED.findall(text)} - seen
    return len(seen)


def _text(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:  # noqa: S310 - an address made here
            text: str = answer.read().decode()
    except OSError as fault:
        message = f"The console does not answer at {url}: {fault}"
        raise DeploymentError(message) from fault
    return text
