"""A server with OpenAI's chat completions that says the least that each schema allows, slowly, and counts."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class ModelServer:
    """What was asked of it."""

    delay_s: float
    url: str = ""
    asked: list[str] = field(default_factory=list)
    """Names of the schemas, as calls began."""
    begun: threading.Event = field(default_factory=threading.Event)


def least(schema: dict[str, Any]) -> Any:  # noqa: PLR0911 - a branch for each type
    """The least value that fits a JSON Schema as ours are: no references."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return least(schema["anyOf"][0])
    match schema["type"]:
        case "object":
            return {name: least(each) for name, each in schema["properties"].items() if name in schema["required"]}
        case "array":
            return [least(schema["items"]) for _ in range(schema.get("minItems", 0))]
        case "boolean":
            return True
        case "integer" | "number":
            return schema.get("minimum", 0)
        case _:
            return "es"


@contextmanager
def model_server(delay_s: float) -> Iterator[ModelServer]:
    """The server, until the block ends."""
    model = ModelServer(delay_s)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            form = body["response_format"]["json_schema"]
            model.asked.append(form["name"])
            model.begun.set()
            time.sleep(model.delay_s)
            said = {"role": "assistant", "content": json.dumps(least(form["schema"]))}
            answer = {"choices": [{"index": 0, "finish_reason": "stop", "message": said}], "usage": {}}
            content = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    model.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
