"""Shapes of the limits of files."""

from typing import Annotated, Self

from pydantic import Field

from chalicelib.api.wire.words import Answer
from chalicelib.domain.files import DOCUMENTS, FORMATS, TEXTS
from chalicelib.ingest.limits import Limits


class KindAnswer(Answer):
    """A kind of file that is taken."""

    extension: str
    media_type: str
    max_bytes: int


class LimitsAnswer(Answer):
    """Which files are taken, and of what size. The server holds to the same table."""

    text: Annotated[list[KindAnswer], Field(description="Sent with the request: `filename` and its text or bytes.")]
    documents: Annotated[list[KindAnswer], Field(description="Uploaded: `POST /api/v1/documents`.")]
    max_content_bytes: Annotated[int, Field(description="Of the Markdown of one revision.")]
    max_pages: Annotated[int, Field(description="Pages, slides or sheets of one document.")]
    extraction_seconds: int
    upload_seconds: Annotated[int, Field(description="How long the form for an upload can be used.")]
    upload_origin: Annotated[str, Field(description="Where the form is posted to: scheme, host and port.")]

    @classmethod
    def of(cls, limits: Limits, upload_origin: str) -> Self:
        """The shape of the limits."""

        def kinds(extensions: tuple[str, ...]) -> list[KindAnswer]:
            found = [FORMATS[each] for each in extensions]
            return [
                KindAnswer(extension=each.extension, media_type=each.media_type, max_bytes=limits.bytes_of(each))
                for each in found
            ]

        return cls(
            text=kinds(TEXTS),
            documents=kinds(DOCUMENTS),
            max_content_bytes=limits.output_bytes,
            max_pages=limits.pages,
            extraction_seconds=limits.seconds,
            upload_seconds=limits.upload_seconds,
            upload_origin=upload_origin,
        )
