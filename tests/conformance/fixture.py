"""The tools, prompts and resources that the official suite calls, behind the very bridge that serves Acervo's.

The suite tests a server by names that it brings along; Acervo has tools of its own. What is under test is the bridge
and the SDK behind it: methods, status codes, headers, origins, both eras.
"""

import asyncio
import hashlib
import hmac
import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.server import CacheHint, Server
from mcp.server.caching import CacheableMethod
from mcp.shared.exceptions import MCPError

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
_KEY = b"only for this fixture"
_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"

RICH = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
_EMPTY: dict[str, Any] = {"type": "object", "properties": {}}

_MIXED = {"uri": "test://mixed-content-resource", "mimeType": "application/json", "text": '{"test":"data","value":123}'}
_EMBEDDED = {
    "uri": "test://embedded-resource",
    "mimeType": "text/plain",
    "text": "This is an embedded resource content.",
}


COMPLETE = {"resultType": "complete"}
"""What the newer era wants said of a result; the older one leaves it out."""


def text(content: str) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": content}


CONTENTS: Mapping[str, list[dict[str, Any]]] = {
    "test_simple_text": [text("This is a simple text response for testing.")],
    "test_image_content": [{"type": "image", "data": PNG, "mimeType": "image/png"}],
    "test_audio_content": [{"type": "audio", "data": WAV, "mimeType": "audio/wav"}],
    "test_embedded_resource": [{"type": "resource", "resource": _EMBEDDED}],
    "test_multiple_content_types": [
        text("Multiple content types test:"),
        {"type": "image", "data": PNG, "mimeType": "image/png"},
        {"type": "resource", "resource": _MIXED},
    ],
    "json_schema_2020_12_tool": [text("ok")],
    "test_custom_headers": [text("ok")],
}


def elicit(message: str, **properties: str) -> dict[str, Any]:
    """A question to the user."""
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def sample(question: str, most: int) -> dict[str, Any]:
    """A question to the client's model."""
    messages = [{"role": "user", "content": text(question)}]
    return {"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": most}}


ROOTS: dict[str, Any] = {"method": "roots/list", "params": {}}


@dataclass(frozen=True)
class Asks:
    """A tool that needs input: its questions, and whether it hands out a state to be given back."""

    questions: Mapping[str, dict[str, Any]]
    state: bool = False


ASKING: Mapping[str, Asks] = {
    "test_input_required_result_elicitation": Asks({"user_name": elicit("What is your name?", name="string")}),
    "test_streaming_elicitation": Asks({"user_name": elicit("What is your name?", name="string")}),
    "test_input_required_result_sampling": Asks({"capital_question": sample("What is the capital of France?", 100)}),
    "test_input_required_result_list_roots": Asks({"client_roots": ROOTS}),
    "test_input_required_result_request_state": Asks({"confirm": elicit("Please confirm", ok="boolean")}, state=True),
    "test_input_required_result_tampered_state": Asks({"confirm": elicit("Please confirm", ok="boolean")}, state=True),
    "test_input_required_result_multiple_inputs": Asks(
        {
            "user_name": elicit("What is your name?", name="string"),
            "greeting": sample("Generate a greeting", 50),
            "client_roots": ROOTS,
        },
        state=True,
    ),
}
STEPS = (
    ("step1", elicit("Step 1: What is your name?", name="string")),
    ("step2", elicit("Step 2: What is your favorite color?", color="string")),
)
OTHERS = (
    "test_error_handling",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_tool_with_progress",
    "test_missing_capability",
    "test_input_required_result_multi_round",
    "test_input_required_result_capabilities",
)
BACKWARD = (
    "test_sampling",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
)
"""Need a stream on which the server asks the client, which a stateless server has not."""


def signed(round_: str) -> str:
    """A state that shows whether somebody changed it."""
    return f"{round_}.{hmac.new(_KEY, round_.encode(), hashlib.sha256).hexdigest()}"


def opened(state: str | None) -> str:
    """What was signed. Raises MCPError if it was not."""
    round_, _, _ = (state or "").partition(".")
    if not hmac.compare_digest(signed(round_), state or ""):
        raise MCPError(types.INVALID_PARAMS, "The request state was changed")
    return round_


def asked(questions: Mapping[str, Any], state: str | None = None) -> dict[str, Any]:
    """That input is needed."""
    result: dict[str, Any] = {"resultType": "input_required", "inputRequests": dict(questions)}
    return {**result, "requestState": state} if state else result


def done(content: str) -> dict[str, Any]:
    """A complete result."""
    return {**COMPLETE, "content": [text(content)]}


async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
    names = [*CONTENTS, *ASKING, *OTHERS, *BACKWARD]
    schemas = {
        "json_schema_2020_12_tool": RICH,
        "test_custom_headers": {
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        },
    }
    return types.ListToolsResult(
        tools=[
            types.Tool(name=each, description=f"Fixture {each}.", input_schema=schemas.get(each, _EMPTY))
            for each in names
        ]
    )


async def call_tool(context: Any, params: types.CallToolRequestParams) -> Any:
    name = params.name
    if name in CONTENTS:
        return {**COMPLETE, "content": CONTENTS[name]}
    if name in ASKING:
        return _ask(ASKING[name], params)
    handler = HANDLERS.get(name)
    if handler is None:
        raise MCPError(types.INVALID_PARAMS, f"There is no tool {name}")
    return await handler(context, params)


def _given(params: Any) -> Mapping[str, Any]:
    responses = params.input_responses or {}
    return responses if isinstance(responses, Mapping) else {}


def _usable(question: Mapping[str, Any], response: Any) -> bool:
    """Whether a response has the shape that its question asks for."""
    found = response if isinstance(response, Mapping) else response.model_dump(by_alias=True)
    keys = {"elicitation/create": "action", "sampling/createMessage": "content", "roots/list": "roots"}
    return keys[question["method"]] in found


def _ask(tool: Asks, params: types.CallToolRequestParams) -> dict[str, Any]:
    given = _given(params)
    if params.request_state is not None:
        opened(params.request_state)
    missing = [key for key, each in tool.questions.items() if key not in given or not _usable(each, given[key])]
    if missing or (tool.state and params.request_state is None):
        return asked(tool.questions, signed("round1") if tool.state else None)
    answers = {key: _plain(given[key]) for key in tool.questions}
    name = answers.get("user_name", {}).get("content", {}).get("name")
    if name and not tool.state:
        return done(f"Hello, {name}!")
    return done(f"state-ok {json.dumps(answers)}")


def _plain(response: Any) -> Any:
    return (
        response
        if isinstance(response, Mapping)
        else response.model_dump(by_alias=True, exclude_none=True, mode="json")
    )


async def _error(_: Any, __: Any) -> dict[str, Any]:
    return {**COMPLETE, "content": [text("This tool intentionally returns an error for testing")], "isError": True}


async def _log(context: Any, _: Any) -> dict[str, Any]:
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        with warnings.catch_warnings(action="ignore"):  # deprecated in the newer era; the suite still asks for it
            await context.session.send_log_message(level="info", data=message, related_request_id=context.request_id)
        await asyncio.sleep(0.05)
    return done("Logged.")


async def _progress(context: Any, _: Any) -> dict[str, Any]:
    token = getattr(context.meta, "progress_token", None) or (context.meta or {}).get("progressToken")
    for progress in (0, 50, 100):
        if token is not None:
            await context.session.send_progress_notification(token, progress, 100)
        await asyncio.sleep(0.05)
    return done("Progressed.")


def _declared(context: Any) -> Mapping[str, Any]:
    meta = context.meta or {}
    found = meta.get(_CAPABILITIES, {}) if isinstance(meta, Mapping) else {}
    return found if isinstance(found, Mapping) else found.model_dump(exclude_none=True)


async def _capability(context: Any, _: Any) -> dict[str, Any]:
    if "sampling" not in _declared(context):
        data: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(-32021, "The client does not say that it can sample", data)
    return done("ok")


async def _capabilities(context: Any, params: Any) -> dict[str, Any]:
    declared = _declared(context)
    offered = {"sampling": sample("What is the capital of France?", 100), "elicitation": elicit("Name?", name="string")}
    questions = {key: each for key, each in offered.items() if key in declared}
    return done("ok") if _given(params) or not questions else asked(questions)


async def _rounds(_: Any, params: Any) -> dict[str, Any]:
    if params.request_state is None:
        return asked(dict([STEPS[0]]), signed("round1"))
    if opened(params.request_state) == "round1":
        return asked(dict([STEPS[1]]), signed("round2"))
    return done("All rounds done.")


async def _back(_: Any, __: Any) -> dict[str, Any]:
    return {**COMPLETE, "content": [text("The server cannot ask the client: it is stateless.")], "isError": True}


HANDLERS: Mapping[str, Callable[..., Any]] = {
    "test_error_handling": _error,
    "test_tool_with_logging": _log,
    "test_logging_tool": _log,
    "test_tool_with_progress": _progress,
    "test_missing_capability": _capability,
    "test_input_required_result_capabilities": _capabilities,
    "test_input_required_result_multi_round": _rounds,
    **dict.fromkeys(BACKWARD, _back),
}

RESOURCES = {
    "test://static-text": {"mimeType": "text/plain", "text": "This is the content of the static text resource."},
    "test://static-binary": {"mimeType": "image/png", "blob": PNG},
    "test://watched-resource": {"mimeType": "text/plain", "text": "watched"},
}


async def list_resources(_: Any, __: Any) -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[
            types.Resource(uri=uri, name=uri.partition("://")[2], description="Fixture.", mime_type=each["mimeType"])
            for uri, each in RESOURCES.items()
        ]
    )


async def list_templates(_: Any, __: Any) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(uri_template="test://template/{id}/data", name="template", description="Fixture.")
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def read_resource(_: Any, params: types.ReadResourceRequestParams) -> dict[str, Any]:
    uri = str(params.uri)
    if uri in RESOURCES:
        return {**COMPLETE, "contents": [{"uri": uri, **RESOURCES[uri]}]}
    parts = uri.removeprefix("test://template/").split("/")
    if uri.startswith("test://template/") and parts[1:] == ["data"]:
        data = json.dumps({"id": parts[0], "templateTest": True, "data": f"Data for ID: {parts[0]}"})
        return {**COMPLETE, "contents": [{"uri": uri, "mimeType": "application/json", "text": data}]}
    raise MCPError(types.INVALID_PARAMS, "Resource not found", {"uri": uri})


async def accept(_: Any, __: Any) -> types.EmptyResult:
    return types.EmptyResult()


def _says(content: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": content}


PROMPTS: Mapping[str, tuple[tuple[str, ...], Callable[[Mapping[str, str]], list[dict[str, Any]]]]] = {
    "test_simple_prompt": ((), lambda _: [_says(text("This is a simple prompt for testing."))]),
    "test_prompt_with_arguments": (
        ("arg1", "arg2"),
        lambda given: [_says(text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"))],
    ),
    "test_prompt_with_embedded_resource": (
        ("resourceUri",),
        lambda given: [
            _says(
                {
                    "type": "resource",
                    "resource": {
                        "uri": given["resourceUri"],
                        "mimeType": "text/plain",
                        "text": "Embedded resource content for testing.",
                    },
                }
            ),
            _says(text("Please process the embedded resource above.")),
        ],
    ),
    "test_prompt_with_image": (
        (),
        lambda _: [
            _says({"type": "image", "data": PNG, "mimeType": "image/png"}),
            _says(text("Please analyze the image above.")),
        ],
    ),
    "test_input_required_result_prompt": ((), lambda _: [_says(text("With context."))]),
}


async def list_prompts(_: Any, __: Any) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                description="Fixture.",
                arguments=[
                    types.PromptArgument(name=each, description="Fixture.", required=True) for each in arguments
                ],
            )
            for name, (arguments, _) in PROMPTS.items()
        ]
    )


async def get_prompt(_: Any, params: types.GetPromptRequestParams) -> dict[str, Any]:
    if params.name not in PROMPTS:
        raise MCPError(types.INVALID_PARAMS, "There is no such prompt")
    if params.name == "test_input_required_result_prompt" and "user_context" not in _given(params):
        return asked({"user_context": elicit("What context should the prompt use?", context="string")})
    _, messages = PROMPTS[params.name]
    return {**COMPLETE, "messages": messages(params.arguments or {})}


async def complete(_: Any, __: Any) -> types.CompleteResult:
    return types.CompleteResult(completion=types.Completion(values=[], total=0, has_more=False))


def server() -> "Server[Any]":
    """The fixture server."""
    hint = CacheHint(60_000, "private")
    methods: tuple[CacheableMethod, ...] = (
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "server/discover",
    )
    made: Server[Any] = Server(
        "acervo-conformance",
        version="1.0.0",
        cache_hints=dict.fromkeys(methods, hint),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,  # type: ignore[arg-type]
        on_subscribe_resource=accept,
        on_unsubscribe_resource=accept,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,  # type: ignore[arg-type]
        on_completion=complete,
    )
    made.add_request_handler("logging/setLevel", types.SetLevelRequestParams, accept)
    return made
