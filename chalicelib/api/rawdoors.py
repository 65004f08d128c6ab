"""Where the protocols with a form of their own answer. What answers is imported with its first request (cold start)."""

from collections.abc import Callable
from importlib import import_module

from chalicelib.api.raw import Asked, Raw, RawRoute

DEVICE = "/v1/auth/device"


def _lazily(module: str, name: str) -> Callable[[Asked], Raw]:
    """The handler of that name in a module of this package."""

    def answer(asked: Asked) -> Raw:
        handler: Callable[[Asked], Raw] = getattr(import_module(f"chalicelib.api.{module}"), name)
        return handler(asked)

    return answer


ROUTES = (
    RawRoute(
        ("GET",), "/", "consoleOfASpace", "The console, in the space that the address names", _lazily("console", "page")
    ),
    RawRoute(("GET",), "/me", "console", "The console, in one's personal space", _lazily("console", "page")),
    RawRoute(
        ("GET",), "/assets/{version}/{name}", "consoleAsset", "A file of the console", _lazily("console", "asset")
    ),
    RawRoute(
        ("POST",),
        f"{DEVICE}/start",
        "startDeviceLogin",
        "Begin a login for a client without a browser",
        _lazily("device", "start"),
    ),
    RawRoute(
        ("POST",),
        f"{DEVICE}/token",
        "pollDeviceLogin",
        "Ask whether a device is let in, and take its token",
        _lazily("device", "poll"),
    ),
    RawRoute(
        ("GET",),
        DEVICE,
        "deviceLoginPage",
        "Go to where a person decides about a device",
        _lazily("device", "page"),
    ),
    RawRoute(
        ("GET",),
        "/sign-in/oidc",
        "departToProvider",
        "Go to the identity provider to sign in",
        _lazily("provider", "depart"),
    ),
    RawRoute(
        ("GET",),
        "/sign-in/callback",
        "returnFromProvider",
        "Come back from the identity provider",
        _lazily("provider", "come_back"),
    ),
    RawRoute(
        ("GET",), "/v1/auth/token/validate", "validateToken", "Learn what a token may do", _lazily("device", "validate")
    ),
    RawRoute(
        ("POST",), "/v1/auth/token/revoke-self", "revokeSelf", "Revoke the token that asks", _lazily("device", "revoke")
    ),
    RawRoute(
        ("POST",),
        "/v1/skill/operations",
        "runSkillOperation",
        "All that a command-line skill does",
        _lazily("skill", "serve"),
    ),
)
