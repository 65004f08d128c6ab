/** What the page itself says, in the visitor's language; answers come in theirs from the server. */

/** @typedef {Record<string, string>} Texts */

/** @type {Record<string, Texts>} */
export const TEXTS = {
  en: {
    skip: "Go to the question",
    question: "Your question",
    placeholder: "Ask something…",
    ask: "Ask",
    stop: "Stop",
    again: "Try again",
    welcome: "Ask a question. The answer is made of what has been published here.",
    waiting: "One moment…",
    ready: "The answer is complete.",
    stopped: "You stopped this answer.",
    interrupted: "The connection broke before the answer was complete.",
    offline: "There is no connection. Check it and try again.",
    failed: "The question cannot be answered right now.",
    retry_after: "Please try again in {seconds} seconds.",
    missing: "This page does not exist, or it is closed.",
    sources: "Sources",
    picture: "Picture: {alt}",
  },
  es: {
    skip: "Ir a la pregunta",
    question: "Tu pregunta",
    placeholder: "Pregunta algo…",
    ask: "Preguntar",
    stop: "Detener",
    again: "Intentar de nuevo",
    welcome: "Haz una pregunta. La respuesta se compone de lo que está publicado aquí.",
    waiting: "Un momento…",
    ready: "La respuesta está completa.",
    stopped: "Has detenido esta respuesta.",
    interrupted: "La conexión se cortó antes de que la respuesta estuviera completa.",
    offline: "No hay conexión. Compruébala e inténtalo de nuevo.",
    failed: "Ahora mismo no se puede responder a la pregunta.",
    retry_after: "Vuelve a intentarlo dentro de {seconds} segundos.",
    missing: "Esta página no existe o está cerrada.",
    sources: "Fuentes",
    picture: "Imagen: {alt}",
  },
  pt: {
    skip: "Ir para a pergunta",
    question: "A sua pergunta",
    placeholder: "Pergunte algo…",
    ask: "Perguntar",
    stop: "Parar",
    again: "Tentar de novo",
    welcome: "Faça uma pergunta. A resposta é feita do que está publicado aqui.",
    waiting: "Um momento…",
    ready: "A resposta está completa.",
    stopped: "Parou esta resposta.",
    interrupted: "A ligação caiu antes de a resposta estar completa.",
    offline: "Não há ligação. Verifique-a e tente de novo.",
    failed: "De momento não é possível responder à pergunta.",
    retry_after: "Tente de novo dentro de {seconds} segundos.",
    missing: "Esta página não existe ou está fechada.",
    sources: "Fontes",
    picture: "Imagem: {alt}",
  },
  fr: {
    skip: "Aller à la question",
    question: "Votre question",
    placeholder: "Posez une question…",
    ask: "Demander",
    stop: "Arrêter",
    again: "Réessayer",
    welcome: "Posez une question. La réponse est faite de ce qui est publié ici.",
    waiting: "Un instant…",
    ready: "La réponse est complète.",
    stopped: "Vous avez arrêté cette réponse.",
    interrupted: "La connexion a été coupée avant la fin de la réponse.",
    offline: "Il n’y a pas de connexion. Vérifiez-la et réessayez.",
    failed: "Il est impossible de répondre à la question pour le moment.",
    retry_after: "Réessayez dans {seconds} secondes.",
    missing: "Cette page n’existe pas ou est fermée.",
    sources: "Sources",
    picture: "Image : {alt}",
  },
  de: {
    skip: "Zur Frage",
    question: "Ihre Frage",
    placeholder: "Fragen Sie etwas …",
    ask: "Fragen",
    stop: "Anhalten",
    again: "Noch einmal versuchen",
    welcome: "Stellen Sie eine Frage. Die Antwort besteht aus dem, was hier veröffentlicht ist.",
    waiting: "Einen Moment …",
    ready: "Die Antwort ist vollständig.",
    stopped: "Sie haben diese Antwort angehalten.",
    interrupted: "Die Verbindung riss ab, bevor die Antwort vollständig war.",
    offline: "Es besteht keine Verbindung. Prüfen Sie sie und versuchen Sie es noch einmal.",
    failed: "Die Frage kann gerade nicht beantwortet werden.",
    retry_after: "Bitte versuchen Sie es in {seconds} Sekunden noch einmal.",
    missing: "Diese Seite gibt es nicht, oder sie ist geschlossen.",
    sources: "Quellen",
    picture: "Bild: {alt}",
  },
  it: {
    skip: "Vai alla domanda",
    question: "La tua domanda",
    placeholder: "Chiedi qualcosa…",
    ask: "Chiedi",
    stop: "Ferma",
    again: "Riprova",
    welcome: "Fai una domanda. La risposta è fatta di ciò che è pubblicato qui.",
    waiting: "Un momento…",
    ready: "La risposta è completa.",
    stopped: "Hai fermato questa risposta.",
    interrupted: "La connessione si è interrotta prima che la risposta fosse completa.",
    offline: "Non c’è connessione. Controllala e riprova.",
    failed: "Al momento non è possibile rispondere alla domanda.",
    retry_after: "Riprova tra {seconds} secondi.",
    missing: "Questa pagina non esiste o è chiusa.",
    sources: "Fonti",
    picture: "Immagine: {alt}",
  },
};

/**
 * The language to speak: the first of the visitor's that the page has words for, else the page's own.
 * @param {readonly string[]} wanted as the browser lists them
 * @param {string} otherwise
 * @returns {string}
 */
export function chosen(wanted, otherwise) {
  const known = wanted.map((each) => each.toLowerCase().split("-")[0]).find((each) => each in TEXTS);
  return known ?? (otherwise in TEXTS ? otherwise : "en");
}

/**
 * @param {string} template
 * @param {Record<string, string | number>} values
 */
export function filled(template, values) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
