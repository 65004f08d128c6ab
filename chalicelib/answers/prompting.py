"""The port `AnswerModel` over any language model that answers in JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chalicelib.answers import prompts
from chalicelib.answers.ports import ChatModel, Prompt, Source
from chalicelib.answers.selecting import PICTURES, TOPICS
from chalicelib.answers.steps import Brief, Draft, Inquiry, Summary, Understood
from chalicelib.answers.watch import Watch
from chalicelib.domain.errors import ModelUnavailable
from chalicelib.domain.pages import Image, Topic
from chalicelib.domain.watching import Meter


@dataclass(frozen=True, slots=True)
class Budget:
    """What one call may take."""

    seconds: float = 15.0
    tokens: int = 2000
    """Of the answer, at most; quick steps get a fraction."""


@dataclass(frozen=True, slots=True)
class PromptedModel:
    """Takes the steps by asking."""

    chat: ChatModel
    meter: Meter
    budget: Budget = Budget()

    def understand(self, inquiry: Inquiry, watch: Watch) -> Understood:
        """One quick call."""
        task, data, shape = prompts.understanding(inquiry)
        said = self._said("understand", prompts.system(inquiry.page, task), data, shape, watch)
        return Understood(
            language=_text(said, "language"),
            on_topic=said.get("on_topic") is not False,
            knowledge_query=_text(said, "knowledge_query"),
            image_query=_text(said, "image_query"),
            courtesy=_text(said, "courtesy"),
        )

    def select_topics(self, inquiry: Inquiry, understood: Understood, watch: Watch) -> tuple[str, ...]:
        """One quick call."""
        task, data, shape = prompts.choosing_topics(inquiry, understood, TOPICS)
        return _texts(self._said("select_topics", prompts.system(inquiry.page, task), data, shape, watch), "ids")

    def select_images(
        self, inquiry: Inquiry, understood: Understood, images: tuple[Image, ...], watch: Watch
    ) -> tuple[str, ...]:
        """One quick call."""
        task, data, shape = prompts.choosing_images(inquiry, understood, images, PICTURES)
        return _texts(self._said("select_images", prompts.system(inquiry.page, task), data, shape, watch), "ids")

    def summarise(
        self, inquiry: Inquiry, understood: Understood, topic: Topic, passages: tuple[Source, ...], watch: Watch
    ) -> Summary:
        """One call for each topic."""
        task, data, shape = prompts.summarising(inquiry, understood, topic, passages)
        said = self._said("summarise", prompts.system(inquiry.page, task), data, shape, watch)
        labelled = {f"p{number}": each.reference for number, each in enumerate(passages, 1)}
        references = tuple(labelled[each] for each in _texts(said, "references") if each in labelled)
        return Summary(topic, _text(said, "text"), said.get("supported") is True, passages, references)

    def build(self, brief: Brief, watch: Watch) -> Draft:
        """One call, which sees summaries and never passages."""
        labels = _labels(brief)
        task, data, shape = prompts.building(brief, labels)
        said = self._said("build", prompts.system(brief.inquiry.page, task), data, shape, watch)
        return _with_references(said, labels)

    def repair(self, brief: Brief, draft: Draft, mistakes: tuple[str, ...], watch: Watch) -> Draft:
        """The same call again, told what was wrong."""
        labels = _labels(brief)
        task, data, shape = prompts.building(brief, labels)
        task, data = prompts.mending(task, data, draft, mistakes)
        said = self._said("repair", prompts.system(brief.inquiry.page, task), data, shape, watch)
        return _with_references(said, labels)

    def _said(self, step: str, system: str, data: str, shape: prompts.Schema, watch: Watch) -> Mapping[str, Any]:
        """What the model says; nothing is asked once the turn has to end (rule N5)."""
        watch.check()
        whole = step in {"build", "repair"}
        tokens = self.budget.tokens if whole else self.budget.tokens // 3
        seconds = max(0.1, min(self.budget.seconds * (2 if whole else 1), watch.seconds_left()))
        prompt = Prompt(step, system, data, shape, tokens, seconds, watch.going)
        try:
            reply = self.chat.ask(prompt)
        except ModelUnavailable:
            self.meter.count("answers.model_call", step=step, outcome="failed")
            raise
        watch.spent(reply.spending)
        self.meter.count("answers.model_call", step=step, outcome="answered")
        self.meter.count("answers.tokens_in", reply.spending.input_tokens, step=step)
        self.meter.count("answers.tokens_out", reply.spending.output_tokens, step=step)
        return reply.value


def _labels(brief: Brief) -> dict[str, str]:
    return {reference: f"s{number}" for number, reference in enumerate(brief.references, 1)}


def _with_references(said: Mapping[str, Any], labels: Mapping[str, str]) -> Draft:
    """The draft with references in the place of their labels; what is none stays, and is rejected later."""
    names = {label: reference for reference, label in labels.items()}
    components = said.get("components")
    if not isinstance(components, list):
        return said
    return {**said, "components": [_named(each, names) for each in components]}


def _named(component: Any, names: Mapping[str, str]) -> Any:  # noqa: ANN401 - a model's JSON
    if not isinstance(component, dict) or not isinstance(component.get("sources"), list):
        return component
    sources = [names.get(each, each) if isinstance(each, str) else each for each in component["sources"]]
    return {**component, "sources": sources}


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    return value if isinstance(value, str) else ""


def _texts(said: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = said.get(name)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
