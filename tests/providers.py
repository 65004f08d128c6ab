"""An OpenID Connect provider that others have written, on this machine."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from oidc_provider_mock import User, app
from werkzeug.serving import make_server


@contextmanager
def provider(host: str = "127.0.0.1") -> Iterator[str]:
    """Its address, while it runs. Anybody can sign in; Ana has a name."""
    people = app(user_claims=[User(sub="ana", claims={"name": "Ana García"})], require_nonce=True)
    server = make_server("127.0.0.1", 0, people, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://{host}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
