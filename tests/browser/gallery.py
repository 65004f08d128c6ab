"""One of every component, as the server renders it."""

from collections.abc import Iterable
from typing import Any

from chalicelib.answers.parts import Began, Finished, Part, Progress, Section, Sections, Spoken, Stage, Status

PICTURE = {"url": "http://127.0.0.1/picture", "alt": "El patio de la clínica", "width": 320, "height": 200}
LINK = {"url": "https://sol.example/cita", "label": "Pedir cita", "kind": "action"}
READ = {"url": "https://sol.example/precios", "label": "Todos los precios", "kind": "link"}

PROPS: dict[str, dict[str, Any]] = {
    "hero": {
        "title": "La clínica abre de lunes a viernes",
        "subtitle": "De 9:00 a 19:30, también en agosto",
        "image": PICTURE,
        "action": LINK,
    },
    "text": {"title": "En pocas palabras", "paragraphs": ["Atendemos con cita previa.", "Las urgencias, sin ella."]},
    "highlights": {
        "title": "Lo importante",
        "points": [{"title": "Cita", "text": "Por teléfono o aquí."}, {"title": None, "text": "Traiga su tarjeta."}],
    },
    "steps": {
        "title": "Cómo pedir cita",
        "steps": [
            {"title": "Elija el día", "text": "Con dos semanas de margen."},
            {"title": None, "text": "Confirme."},
        ],
    },
    "faq": {
        "title": "Preguntas",
        "questions": [
            {"question": "¿Aceptan tarjetas?", "answer": "Sí, todas."},
            {"question": "¿Hay aparcamiento?", "answer": "Detrás del edificio."},
        ],
    },
    "comparison": {
        "title": "Planes",
        "columns": ["Básico", "Completo"],
        "rows": [
            {"label": "Revisión anual", "values": ["Sí", "Sí"]},
            {"label": "Urgencias", "values": ["No", "Sí, todo el día"]},
        ],
    },
    "price_list": {
        "title": "Precios",
        "items": [
            {"name": "Primera visita", "price": "45,00 €", "detail": "Con informe"},
            {"name": "Revisión", "price": "30,00 €", "detail": None},
        ],
        "note": "IVA incluido.",
    },
    "timeline": {
        "title": "Fechas",
        "events": [
            {"when": "1 de enero", "text": "Cerrado."},
            {"when": "2 de enero", "text": "Abrimos con el nuevo horario."},
        ],
    },
    "quote": {"text": "Nadie espera más de diez minutos.", "attribution": "Manual de recepción"},
    "image": {"image": PICTURE, "caption": "El patio"},
    "gallery": {"title": "La casa", "images": [PICTURE, {**PICTURE, "alt": "La entrada"}]},
    "contact": {"title": "Hable con nosotros", "text": "Contestamos el mismo día.", "links": [LINK, READ]},
    "call_to_action": {"title": "¿Empezamos?", "text": "La primera visita no compromete.", "action": LINK},
    "notice": {"tone": "warning", "text": "El 24 de diciembre cerramos a las 14:00."},
}


def answer(
    components: Iterable[str], props: dict[str, dict[str, Any]] = PROPS, spoken: str = "Abrimos de lunes a viernes."
) -> tuple[Part, ...]:
    """An answer of these components."""
    sections = [Section(f"turn_1-{name}", name, name, props[name]) for name in components]
    return (
        Began("conv_1", "turn_1"),
        Status(Stage.UNDERSTANDING),
        Progress("Miro de qué se trata…"),
        Spoken(spoken),
        *sections,
        Sections(tuple(each.id for each in sections), final=True, language="es"),
        Finished(),
    )


def filled(props: Any, payload: str) -> Any:
    """The props with every text replaced, addresses too; what is no text stays."""
    if isinstance(props, dict):
        return {key: each if key == "tone" else filled(each, payload) for key, each in props.items()}
    if isinstance(props, list):
        return [filled(each, payload) for each in props]
    return payload if isinstance(props, str) else props
