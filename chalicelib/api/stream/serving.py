"""The app as a server makes it: `uvicorn --factory chalicelib.api.stream.serving:answers`."""

from starlette.applications import Starlette

from chalicelib.api.stream.app import app
from chalicelib.wiring.desk import desk
from chalicelib.wiring.front import front


def answers() -> Starlette:
    """The app over what the settings name. Raises BadSettings."""
    return app(desk(), front())
