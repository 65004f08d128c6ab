"""What a visitor sends: a question, from the second turn on with the conversation, or an AI SDK body that holds both.

The server owns the conversation (rule N7): whatever else a client sends as its history is not even looked at.
"""

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chalicelib.api.mistakes import mistakes

REGENERATE = "regenerate-message"


class _Open(BaseModel):
    """The AI SDK sends fields of its own, and more of them with each version."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class TurnBody(_Open):
    """What a turn is asked with. How long a question may be is the defences' business."""

    question: str = ""
    conversation_id: Annotated[str | None, Field(alias="conversationId", max_length=80)] = None
    regenerate: bool = False

    @classmethod
    def read(cls, body: bytes) -> Self:
        """The turn that a body asks for. Raises InvalidRequest."""
        try:
            return cls.model_validate(_Sent.model_validate_json(body).turn())
        except ValidationError as fault:
            raise mistakes(fault, "body") from None


class ProofBody(_Open):
    """What a session is opened with: the proof that the page's challenge asks for, if it asks for one."""

    proof: Annotated[str, Field(max_length=8000)] = ""

    @classmethod
    def read(cls, body: bytes) -> Self:
        """The proof in a body; none in an empty one. Raises InvalidRequest."""
        try:
            return cls.model_validate_json(body or b"{}")
        except ValidationError as fault:
            raise mistakes(fault, "body") from None


class _Metadata(_Open):
    conversation_id: Annotated[Any, Field(alias="conversationId")] = None


class _Piece(_Open):
    type: Any = None
    text: Any = None


class _Message(_Open):
    role: Any = None
    parts: list[_Piece] = []
    metadata: _Metadata | None = None

    def text(self) -> str:
        """What it says."""
        return "".join(each.text for each in self.parts if each.type == "text" and isinstance(each.text, str))


class _Sent(_Open):
    """Either form, before anything in it is believed."""

    question: Any = None
    conversation_id: Annotated[Any, Field(alias="conversationId")] = None
    regenerate: Any = False
    trigger: Any = None
    messages: list[_Message] = []

    def turn(self) -> dict[str, Any]:
        """The fields of a turn: of the messages, the last question and the last conversation that was named."""
        questions = [each.text() for each in self.messages if each.role == "user"]
        named = [each.metadata.conversation_id for each in self.messages if each.metadata is not None]
        return {
            "question": (questions or [""])[-1] if self.question is None else self.question,
            "conversationId": _last(named) if self.conversation_id is None else self.conversation_id,
            "regenerate": True if self.trigger == REGENERATE else self.regenerate,
        }


def _last(named: list[Any]) -> Any:  # noqa: ANN401 - whatever was sent
    return next((each for each in reversed(named) if each is not None), None)
