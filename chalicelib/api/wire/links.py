"""Shapes of what a project links to."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field

from chalicelib.api.wire.memory import ProjectAnswer
from chalicelib.api.wire.words import Answer
from chalicelib.domain.documents import Document, DocumentStatus
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.memory import Project


class LinkedItemAnswer(Answer):
    """An item that is linked to; all but its id is null if it is gone, or not the caller's to see."""

    id: str
    title: str | None = None
    status: ItemStatus | None = None
    knowledge_base_id: str | None = None


class LinkedDocumentAnswer(Answer):
    """A document that is linked to; all but its id is null if it is gone, or not the caller's to see."""

    id: str
    filename: str | None = None
    status: DocumentStatus | None = None
    knowledge_base_id: str | None = None


class LinkedProjectAnswer(ProjectAnswer):
    """A project, and what it links to by name."""

    knowledge_items: Annotated[list[LinkedItemAnswer], Field(description="In the order of `knowledge_item_ids`.")]
    documents: Annotated[list[LinkedDocumentAnswer], Field(description="In the order of `document_ids`.")]

    @classmethod
    def linking(cls, project: Project, items: Mapping[str, Item], documents: Mapping[str, Document]) -> Self:
        """The shape of a project, with those of its links that are the caller's to see."""
        plain = ProjectAnswer.of(project)
        return cls(
            **dict(plain),
            knowledge_items=[_item(each, items.get(each)) for each in plain.knowledge_item_ids],
            documents=[_document(each, documents.get(each)) for each in plain.document_ids],
        )


def _item(item_id: str, item: Item | None) -> LinkedItemAnswer:
    if item is None:
        return LinkedItemAnswer(id=item_id)
    return LinkedItemAnswer(id=item_id, title=item.title, status=item.status, knowledge_base_id=item.base_id)


def _document(document_id: str, found: Document | None) -> LinkedDocumentAnswer:
    if found is None:
        return LinkedDocumentAnswer(id=document_id)
    return LinkedDocumentAnswer(
        id=document_id, filename=found.filename, status=found.status, knowledge_base_id=found.base_id
    )
