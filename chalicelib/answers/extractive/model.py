"""The port `AnswerModel` without a model."""

from dataclasses import dataclass

from chalicelib.answers.catalogue.fields import SPOKEN
from chalicelib.answers.extractive.blocks import shortened
from chalicelib.answers.extractive.choosing import best_topics, fitting_images
from chalicelib.answers.extractive.filling import Ask, components, opening
from chalicelib.answers.extractive.finding import Find, Finder, supported
from chalicelib.answers.extractive.intents import intents
from chalicelib.answers.extractive.words import content_words, forms, met
from chalicelib.answers.languages import language_of
from chalicelib.answers.phrases import phrases
from chalicelib.answers.ports import Exchange, Source
from chalicelib.answers.steps import Brief, Draft, Inquiry, Summary, Understood
from chalicelib.answers.watch import Watch
from chalicelib.domain.errors import ModelUnavailable
from chalicelib.domain.pages import Image, Page, Topic
from chalicelib.search.analysis import tokens

TOPICS = 8
"""Reading costs no call here, and a topic's description may use other words than the question does."""
_FEW = 2
"""A question with no more telling words than this goes on from the one before it, if it points back."""
_POINTING = frozenset(
    [
        "and",
        "but",
        "also",
        "then",
        "so",
        "it",
        "its",
        "they",
        "them",
        "that",
        "this",
        "those",
        "these",
        "there",
        "one",
        "ones",
        "y",
        "e",
        "pero",
        "además",
        "entonces",
        "eso",
        "esto",
        "ese",
        "esa",
        "esos",
        "esas",
        "este",
        "esta",
        "ello",
        "ella",
        "ellos",
        "ellas",
        "allí",
        "ahí",
        "lo",
        "mas",
        "também",
        "então",
        "isso",
        "isto",
        "esse",
        "essa",
        "ele",
        "ela",
        "eles",
        "elas",
        "ali",
        "lá",
        "et",
        "mais",
        "aussi",
        "alors",
        "cela",
        "ça",
        "ce",
        "cette",
        "ces",
        "il",
        "elle",
        "ils",
        "elles",
        "und",
        "aber",
        "auch",
        "dann",
        "das",
        "dies",
        "diese",
        "dieser",
        "es",
        "sie",
        "ma",
        "anche",
        "allora",
        "ciò",
        "quello",
        "quella",
        "questo",
        "questa",
        "esso",
        "essa",
        "loro",
    ]
)
"""Words that join on to what was said, or stand for it, in the languages that the desk speaks."""


@dataclass(frozen=True, slots=True)
class Extractive:
    """Takes the steps by rules; costs nothing but the reading."""

    def understand(self, inquiry: Inquiry, watch: Watch) -> Understood:
        """The language by the question's words, and what to look for: the question itself."""
        before = inquiry.history[-1] if inquiry.history else None
        language = language_of(inquiry.question, before.language if before else inquiry.page.language)
        query = _followed(inquiry.question, before)
        return Understood(language, not _is_off_topic(inquiry.question, inquiry.page), query, query)

    def select_topics(self, inquiry: Inquiry, understood: Understood, watch: Watch) -> tuple[str, ...]:
        """Those that share most words with the question."""
        return tuple(each.id for each in best_topics(understood.knowledge_query, inquiry.page.topics, TOPICS))

    def select_images(
        self, inquiry: Inquiry, understood: Understood, images: tuple[Image, ...], watch: Watch
    ) -> tuple[str, ...]:
        """Those whose description says what the question is about."""
        return tuple(each.id for each in fitting_images(understood.image_query, images, 2))

    def summarise(
        self, inquiry: Inquiry, understood: Understood, topic: Topic, passages: tuple[Source, ...], watch: Watch
    ) -> Summary:
        """The best sentence, and whether the passages say enough of what was asked."""
        finder = Finder.of(understood.knowledge_query, passages, _given(inquiry.page))
        finds = finder.finds(passages)
        if not finds or not supported(finds, understood.language):
            return Summary(topic, "", supported=False, passages=passages)
        best = tuple(dict.fromkeys(each.source.reference for each in finds[:3]))
        return Summary(
            topic, finder.best_sentence(finds) or opening(finds[0]), supported=True, passages=passages, references=best
        )

    def build(self, brief: Brief, watch: Watch) -> Draft:
        """The best blocks in the components that fit their form, and the best sentence as the spoken line."""
        understood = brief.understood
        finder = Finder.of(understood.knowledge_query, brief.passages, _given(brief.inquiry.page))
        finds = _in_language(_finds(brief), understood.language)
        if not finds:
            raise ModelUnavailable
        says = phrases(understood.language, brief.inquiry.page.language)
        ask = Ask(
            intents=intents(understood.knowledge_query),
            finds=finds,
            images=brief.images,
            ids=brief.ids,
            titles={
                "price_list": says.prices,
                "steps": says.steps,
                "timeline": says.dates,
                "contact": says.get_in_touch,
            },
        )
        foreign = language_of(finds[0].source.content, understood.language) != understood.language
        spoken = says.only_in if foreign else finder.best_sentence(ask.good) or opening(finds[0])
        return {"spoken": shortened(spoken, SPOKEN), "components": components(ask)}

    def repair(self, brief: Brief, draft: Draft, mistakes: tuple[str, ...], watch: Watch) -> Draft:
        """The best block alone, as text."""
        finds = _in_language(_finds(brief), brief.understood.language)
        paragraph = shortened(finds[0].block.text, 1200) if finds else ""
        return {"spoken": "", "components": [{"component": "text", "props": {"paragraphs": [paragraph]}}]}


def _finds(brief: Brief) -> list[Find]:
    """The blocks of all passages, each once, best first."""
    passages = tuple({(each.reference, each.content): each for each in brief.passages}.values())
    return Finder.of(brief.understood.knowledge_query, passages, _given(brief.inquiry.page)).finds(passages)


def _in_language(finds: list[Find], language: str) -> list[Find]:
    """The blocks in the visitor's language if they answer, else all."""
    own = [each for each in finds if language_of(each.source.content, language) == language]
    return own if supported(own, language) else finds


def _given(page: Page) -> str:
    return f"{page.name} {page.about}"


def _followed(question: str, before: Exchange | None) -> str:
    """The question; with the one before it if it says too little alone."""
    if before is None:
        return question
    telling = len(content_words(question))
    points = not _POINTING.isdisjoint(word for token in tokens(question) for word in token.parts)
    return f"{before.question} {question}" if telling <= 1 or (points and telling <= _FEW) else question


def _is_off_topic(question: str, page: Page) -> bool:
    """Whether the question shares words with what the page is not about, and none with what it is."""
    words = content_words(question)
    if not met(words, forms(page.not_about)):
        return False
    about = " ".join([page.name, page.about, *(f"{each.title} {each.description}" for each in page.topics)])
    return not met(words, forms(about))
