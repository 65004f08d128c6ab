"""Device login on the wire, and what a token can ask about itself (rules A1, A10)."""

import json
from collections.abc import Callable
from typing import Annotated
from urllib.parse import parse_qsl

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from chalicelib.access.device import CODE_LENGTH, INTERVAL_S, LIFE, canonical, shown
from chalicelib.api.auth import bearer
from chalicelib.api.errors import InvalidRequest, problem
from chalicelib.api.mistakes import mistakes
from chalicelib.api.raw import Asked, Raw
from chalicelib.api.rawdoors import DEVICE
from chalicelib.api.wire.memory import Lenient
from chalicelib.domain.errors import (
    AccessDenied,
    AuthorizationPending,
    ExpiredToken,
    SlowDown,
)
from chalicelib.domain.spaces import Door

_FORM = "application/x-www-form-urlencoded"


class StartBody(Lenient):
    """Which client asks for what."""

    client_id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,60}$")]
    scopes: Annotated[tuple[str, ...], Field(max_length=50)] = ()
    scope: str = ""

    def asked(self) -> frozenset[str]:
        """The scopes, in either form."""
        return frozenset({*self.scopes, *self.scope.split()})


class PollBody(Lenient):
    """Which device asks."""

    device_code: Annotated[str, StringConstraints(min_length=1, max_length=200)]


def start(asked: Asked) -> Raw:
    """A login under way, or why there is none."""
    body = _parsed(StartBody, asked)
    started = asked.services.start_device_login(body.client_id, body.asked(), asked.address)
    uri, code = f"{asked.base_url}{DEVICE}", shown(started.login.user_code)
    answer = {
        "device_code": started.device_code,
        "user_code": code,
        "verification_uri": uri,
        "verification_uri_complete": f"{uri}?user_code={code}",
        "expires_in": int(LIFE.total_seconds()),
        "interval": INTERVAL_S,
        "scopes": sorted(started.login.scopes),
    }
    return Raw(json.dumps(answer))


_WAITING = (AuthorizationPending, SlowDown, AccessDenied, ExpiredToken)


def poll(asked: Asked) -> Raw:
    """A token, or why there is none: in the form of RFC 8628, section 3.5, and in that of all our errors."""
    body = _parsed(PollBody, asked)
    try:
        issued = asked.services.poll_device_login(body.device_code)
    except _WAITING as error:
        status, facts, headers = problem(error, asked.request_id)
        told = {**facts, "error": error.code, "error_description": str(error)}
        return Raw(json.dumps(told), status, headers)
    token = issued.token
    lasts = int((token.expires_at - token.created_at).total_seconds()) if token.expires_at else None
    answer = {
        "access_token": issued.bearer,
        "token_type": "Bearer",
        "expires_in": lasts,
        "scope": " ".join(sorted(token.scopes)),
        "scopes": sorted(token.scopes),
    }
    return Raw(json.dumps(answer))


def validate(asked: Asked) -> Raw:
    """What the token that asks may do."""
    principal = asked.services.authenticate(bearer(asked.headers), Door.REST)
    answer = {
        "ok": True,
        "valid": True,
        "user_id": principal.user_id,
        "token_name": principal.token_name,
        "profile": principal.profile,
        "scopes": sorted(principal.scopes),
        "knowledge_enabled": principal.knowledge_enabled,
        "setup_state": "ready",
    }
    return Raw(json.dumps(answer))


def revoke(asked: Asked) -> Raw:
    """Revoke the token that asks."""
    principal = asked.services.authenticate(bearer(asked.headers), Door.REST)
    if principal.token_id is not None:
        asked.services.revoke_token(principal, principal.token_id)
    return Raw(json.dumps({"ok": True, "revoked": principal.token_id is not None}))


def page(asked: Asked) -> Raw:
    """To the console, where a signed-in person decides. The code is in the fragment, which no log of a server holds."""
    code = canonical(asked.query.get("user_code", ""))[:CODE_LENGTH]
    place = f"#device={shown(code)}" if code else "#device"
    return Raw("", 302, {"Location": f"{asked.base_url}/me{place}"}, "text/plain; charset=utf-8")


def _parsed[M: BaseModel](model: type[M], asked: Asked) -> M:
    """The body, as JSON or as a form (which RFC 8628 has)."""
    if asked.headers.get("content-type", "").startswith(_FORM):
        return _checked(model, lambda: model.model_validate(_form(asked)))
    return _checked(model, lambda: model.model_validate_json(asked.body or b"{}"))


def _form(asked: Asked) -> dict[str, str]:
    try:
        return dict(parse_qsl(asked.body.decode(), keep_blank_values=True, max_num_fields=20))
    except ValueError:
        raise InvalidRequest(errors=({"where": "body", "problem": "is no form"},)) from None


def _checked[M: BaseModel](_: type[M], parse: Callable[[], M]) -> M:
    try:
        return parse()
    except ValidationError as fault:
        raise mistakes(fault, "body") from None
