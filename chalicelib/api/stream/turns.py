"""What a visitor sends: a question, from the second turn on with the conversation, or an AI SDK body that holds both.

The server owns the conversation (rule N7): whatever else a client sends as its history is not even looked at.
"""

from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from chalicelib.api.mistakes import mistakes

MAX_QUESTION = 1000
"""Characters."""

REGENERATE = "regenerate-message"


def _asked(text: str) -> str:
    if not text.strip():
        message = "must not be blank"
        raise ValueError(message)
    return text.strip()


type Question = Annotated[str, Field(max_length=MAX_QUESTION), AfterValidator(_asked)]
type ConversationId = Annotated[str, Field(pattern=r"^conv_[0-9a-z]{26}$")]


class _Open(BaseModel):
    """The AI SDK sends fields of its own, and more of them with each version."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class TurnBody(_Open):
    """What a turn is asked with."""

    question: Question
    conversation_id: Annotated[ConversationId | None, Field(alias="conversationId")] = None
    regenerate: bool = False

    @classmethod
    def read(cls, body: bytes) -> Self:
        """The turn that a body asks for. Raises InvalidRequest."""
        try:
            sent = _Sent.model_validate_json(body)
            return cls.model_validate(sent.turn())
        except ValidationError as fault:
            raise mistakes(fault, "body") from None


class _Metadata(_Open):
    conversation_id: Annotated[Any, Field(alias="conversationId")] = None


class _TextPart(_Open):
    type: Any = None
    text: Any = None


class _Message(_Open):
    role: Any = None
    parts: list[_TextPart] = []
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
    messages: list[_Message] | None = None

    def turn(self) -> dict[str, Any]:
        """The fields of a turn: of the messages, the last question and the last conversation that was named."""
        messages = self.messages or []
        question, conversation_id = self.question, self.conversation_id
        if question is None and messages:
            question = next((each.text() for each in reversed(messages) if each.role == "user"), None)
        if conversation_id is None:
            named = [each.metadata.conversation_id for each in messages if each.metadata is not None]
            conversation_id = next((each for each in reversed(named) if each is not None), None)
        regenerate = True if self.trigger == REGENERATE else self.regenerate
        turn = {"question": question, "conversationId": conversation_id, "regenerate": regenerate}
        return {name: value for name, value in turn.items() if name != "question" or value is not None}
