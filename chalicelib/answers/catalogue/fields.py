"""The kinds of fields that components are made of.

Texts are plain and bounded. Ids are types of their own, so that whoever walks over props can tell what is text, what
has to become data, and what is neither.
"""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationInfo

MARK = "x-acervo-id"
"""In the schema, what kind of id a field holds; becomes an enumeration of what a page has, or the resolved data."""


class ImageId(str):
    """The id of a picture of the page."""

    __slots__ = ()


class LinkId(str):
    """The id of a link or an action of the page."""

    __slots__ = ()


def _one_of(kind: str) -> Any:  # noqa: ANN401 - Pydantic's function types
    def check(value: str, info: ValidationInfo) -> str:
        offered = (info.context or {}).get(kind, ())
        if value not in offered:
            message = f"is the id of no {kind} that may be used here"
            raise ValueError(message)
        return LinkId(value) if kind != "image" else ImageId(value)

    return check


Picture = Annotated[str, AfterValidator(_one_of("image")), Field(json_schema_extra={MARK: "image"})]
AnyLink = Annotated[str, AfterValidator(_one_of("link")), Field(json_schema_extra={MARK: "link"})]
"""A link or an action."""
Action = Annotated[str, AfterValidator(_one_of("action")), Field(json_schema_extra={MARK: "action"})]

Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Paragraph = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1200)]

SPOKEN = 300
"""Characters of a spoken answer."""


class Props(BaseModel):
    """What a component is given. An unknown field is a mistake, not a surprise."""

    model_config = ConfigDict(extra="forbid", frozen=True)
