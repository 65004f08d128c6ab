"""Addresses that stand bare in a text: names of hosts and mailboxes (decision 0046).

A visitor is given no address that the owner did not register. What looks like a host's name with a public suffix is
one; `Node.js`, `settings.py` or `3.5` is none, and neither are a few products that are called like a host.
"""

import re
from collections.abc import Iterable

from chalicelib.domain.pages import Page

_SUFFIXES = (
    "com net org info biz edu gov mil int io co app dev ai me xyz online shop site store club top live link click "
    "cloud tech website web space fun icu pro mobi name blog news page wiki world today life center agency digital "
    "email solutions support systems services group company finance money loan win bid vip work rest bar cafe hotel "
    "tours travel eu es uk de fr it pt nl be ch at mx ar br cl pe ve ec uy bo cr gt us ca au nz ru su cn jp kr tw hk "
    "sg th vn ph my tr gr pl cz sk hu ro bg hr si ua by kz il ae sa ir pk lk ng ke za eg ma tn gh se fi dk is lt "
    "lv ee ie lu cat gal eus tv cc ly gg gl gd gs im tk ml ga cf gq pw ws to fm am st nu la li mn sx vc wtf "
    "onion local internal localhost example test рф сайт 中国 中國 网址 公司 香港"
)
"""Suffixes that people register under and that are hardly ever endings of files or abbreviations."""
_PRODUCTS = frozenset({"asp.net", "ado.net", "vb.net", "ml.net", "socket.io", "draw.io"})
_DOTS = re.compile("[.\u3002\uff0e\uff61]")
"""Browsers take the dots of Chinese and Japanese for one as well (RFC 3490, section 3.1)."""
_RUN = re.compile(
    r"(?P<name>[\w.+%@\u3002\uff0e\uff61-]+)(?P<port>:\d{1,5}(?!\d))?(?P<rest>[/?#\\][^\s<>\"'()\[\]{}]*)?"
)
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_SUFFIX = frozenset(_SUFFIXES.split())
_FILES = frozenset({"rs", "md", "py", "sh", "zip", "mov", "so", "ps", "pm"})
"""Suffixes that are endings of files far more often: only a path behind them makes an address."""
_NAME = re.compile(r"[^\W\d_]{2,24}")


def without_addresses(text: str, known: frozenset[str]) -> str:
    """The text without hosts and mailboxes, but for those that are known, which lose whatever follows the name.

    Args:
        text: on one line; takes time linear in it.
        known: hosts and mailboxes in lower case.
    """
    kept, done = [], 0
    while (match := _RUN.search(text, done)) is not None:
        kept.append(text[done : match.start()])
        bare = match["name"].rstrip(".-+%\u3002\uff0e\uff61")
        name = _DOTS.sub(".", bare)
        if _is_address(name, match["port"], match["rest"]):
            plain = name.lstrip(".-+%").casefold()
            kept.append(bare if plain in known or plain in _PRODUCTS else "")
            kept.append("" if match["rest"] else match["name"][len(bare) :])
            done = match.end()
        else:
            kept.append(match["name"])
            done = match.end("name")
    return "".join([*kept, text[done:]])


def _is_address(name: str, port: str | None, rest: str | None) -> bool:
    """Whether a name, with the port and path behind it, is one that a browser or a mail program takes."""
    mailbox, at, host = name.rpartition("@")
    *labels, last = [each for each in host.split(".") if each] or [""]
    if not labels or (at and not mailbox):
        return False
    if at or re.fullmatch(r"www\d?", labels[0], re.IGNORECASE):
        return True
    if _IP.fullmatch(host):
        return bool(port or rest)
    return bool(port and _NAME.fullmatch(last)) or _is_suffix(last, labels[-1], rest or "")


def _is_suffix(last: str, before: str, rest: str) -> bool:
    """Whether the end of a name is one that people register under; what stands before and behind it helps to tell."""
    plain = last.casefold()
    if plain in _FILES:
        return rest.startswith(("/", "?"))
    sentence = len(last) == 2 and last.istitle() and not before.istitle()  # noqa: PLR2004 - "it works.It"
    return not sentence and (plain in _SUFFIX or plain.startswith("xn--"))


def known_to(page: Page) -> frozenset[str]:
    """Hosts and mailboxes that the owner of the page registered, with its links and origins."""
    return frozenset(each for url in (*(link.url for link in page.links), *page.origins) for each in _names(url))


def _names(url: str) -> Iterable[str]:
    scheme, _, rest = url.partition(":")
    if scheme.lower() == "mailto":
        yield rest.partition("?")[0].casefold()
    elif scheme.lower() in {"https", "http"}:
        host = re.split(r"[/?#\\]", rest.removeprefix("//"), maxsplit=1)[0].rpartition("@")[2].partition(":")[0]
        yield host.casefold()
        yield host.casefold().removeprefix("www.")
