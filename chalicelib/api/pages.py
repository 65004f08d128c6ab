"""The pages for people that this API has by itself, to let a device in: no script, no cookie, nothing from outside."""

import base64
import hashlib
from collections.abc import Mapping
from html import escape

from chalicelib.access.device import TOKEN_LIFE, Review, canonical, shown
from chalicelib.access.ports import DeviceLogin, DeviceStatus
from chalicelib.api.raw import Raw

FORM = "application/x-www-form-urlencoded"

_STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;"
    "color:#1a1a1a;background:#fff}"
    "h1{font-size:1.4rem}label{display:block;margin:1rem 0 .25rem;font-weight:600}"
    "input{font:inherit;width:100%;padding:.5rem;box-sizing:border-box}"
    "code{font-size:1.3rem;letter-spacing:.1em}button{font:inherit;padding:.6rem 1.2rem;margin:1rem .5rem 0 0}"
    ".warn{border-left:4px solid #b35900;padding:.5rem 1rem;background:#fff6ec}"
)

_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

_HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; "
        "base-uri 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}

_MEANS = {
    "knowledge:read": "read the knowledge you can read",
    "knowledge:write": "write and publish knowledge where you can",
    "documents:write": "put documents where you can",
    "memory:read": "read your memory and that of your teams",
    "memory:write": "add to your memory and that of your teams, change it, forget it",
    "memory:restore": "read the saved state of your tasks",
    "pages:admin": "manage your answer pages",
}


def enter_code(user_code: str) -> Raw:
    """Where a code and one's own token are typed."""
    code = canonical(user_code)
    value = escape(shown(code)) if code else ""
    return _html(
        "Let a device in",
        f"""<p>Somebody, probably you, started a login in a terminal. It shows a code.</p>
<form method="post">
<label for="code">Code</label>
<input id="code" name="user_code" value="{value}" autocomplete="off" autocapitalize="characters" required>
<label for="token">A token of yours that may make tokens (scope tokens:admin)</label>
<input id="token" name="token" type="password" autocomplete="off" required>
<button>Go on</button>
</form>
<p class="warn">If you did not start this, or somebody sent you here with a code, close this page.</p>""",
    )


def decide(review: Review) -> Raw:
    """What the device asks for, and the two buttons."""
    login = review.login
    items = "".join(f"<li>{escape(_MEANS.get(each, each))}</li>" for each in sorted(login.scopes))
    gets = (
        f"<p>It would be able to:</p><ul>{items}</ul>" if items else "<p>It would get nothing: your token lacks it.</p>"
    )
    code = escape(shown(login.user_code))
    return _html(
        "Let this device in?",
        f"""<p>A program that calls itself <strong>{escape(login.client_id)}</strong> asks for access to the account
<strong>{escape(review.name)}</strong>, for {TOKEN_LIFE.days} days. It asked at
{escape(login.requested_at.strftime("%H:%M UTC"))}. Nobody has checked its name.</p>
{gets}
<p>Does your terminal show exactly this code? <code>{code}</code></p>
<p class="warn">If it does not, or if you did not start the login yourself, deny it.</p>
<form method="post">
<input type="hidden" name="user_code" value="{code}">
<input type="hidden" name="secret" value="{escape(review.page_secret)}">
<button name="decision" value="approve">Let it in</button>
<button name="decision" value="deny">Deny</button>
</form>""",
    )


def decided(login: DeviceLogin) -> Raw:
    """What was decided."""
    if login.status is DeviceStatus.APPROVED:
        return _html("The device is let in", "<p>Go back to your terminal. You can revoke its token at any time.</p>")
    return _html("The device is not let in", "<p>You can close this page.</p>")


def refused(sentence: str, status: int, headers: Mapping[str, str]) -> Raw:
    """What went wrong, and a way back."""
    body = f'<p>{escape(sentence)}</p><form method="get"><button>Try again</button></form>'
    return _html("That did not work", body, status, headers)


def _html(title: str, body: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Raw:
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} · Acervo</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body><main><h1>{title}</h1>{body}</main></body></html>"
    )
    return Raw(page, status, {**_HEADERS, **(headers or {})}, "text/html; charset=utf-8")
