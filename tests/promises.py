"""Every promise of the specification, tied to its tests both ways.

A test says which promises it holds with `@pytest.mark.promise("K1")`, or its module does with `pytestmark`.
`tests/test_promises.py` fails for a promise without a test; `tests/conftest.py` refuses a test without a promise.
A promise that is not built yet is marked `later`, which fails as soon as a test names it: a known gap is data.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Promise:
    """One numbered promise."""

    says: str
    later: str | None = None
    """What it waits for; None once it is held."""


PROMISES = {
    "K1": Promise("Revisions are written once; no role may update one"),
    "K2": Promise("An edit is one transaction that states what it expects"),
    "K3": Promise("Revision numbers are dense under any concurrency"),
    "K4": Promise("Saving what is there already writes nothing"),
    "K5": Promise("One table of moves is the life cycle"),
    "K6": Promise("Restoring a version makes a new revision"),
    "K7": Promise("Retries with a key are safe"),
    "K8": Promise("Up to 2 MiB of text, in S3 where it does not fit"),
    "K9": Promise("Content has one canonical form"),
    "K10": Promise("Roles decide, personal spaces are private, an owner is always left"),
    "K11": Promise("What you may not see does not exist"),
    "K12": Promise("A pinned read is byte-identical for ever"),
    "K13": Promise("Agents pin only what was public once"),
    "K14": Promise("Reads are paged by characters"),
    "K15": Promise("Archiving a base suspends all retrieval at once"),
    "K16": Promise("Deletion for good leaves nothing and a receipt"),
    "K17": Promise("Linking and unlinking changes no item"),
    "K18": Promise("Knowledge that is off answers 503"),
    "K19": Promise("Plans are shown and never enforced"),
    "S1": Promise("Hybrid: alpha near 1 favours words, near 0 meaning"),
    "S2": Promise("Normalisation does not turn noise into certainty"),
    "S3": Promise("rrf fuses ranks"),
    "S4": Promise("Semantic ranks by cosine and falls back to lexical, saying so"),
    "S5": Promise("Lexical finds exact symbols whole and in parts, folded, stemmed, in any script"),
    "S6": Promise("A failing leg never fails the request if the other answered"),
    "S7": Promise("Each result explains its scores"),
    "S8": Promise("The table decides about visibility, not the index"),
    "S9": Promise("The engine itself filters by space and base"),
    "S10": Promise("A change takes effect in the very next search"),
    "S11": Promise("What is published is searchable soon, and the item says how far it is"),
    "S12": Promise("Search quality holds its figures"),
    "S13": Promise("Search speed holds its ratios"),
    "I1": Promise("Any encoding becomes text, or a clear refusal"),
    "I2": Promise("Objects dropped into the bucket become items"),
    "I3": Promise("The same object makes one revision however often it is delivered"),
    "I4": Promise("Nothing of a document is lost silently"),
    "I5": Promise("Failures are clear to a writer"),
    "I6": Promise("Hostile files are bounded"),
    "I7": Promise("Invisible text is left out and counted"),
    "I8": Promise("Extraction is twice as fast as markitdown"),
    "A1": Promise("Tokens are shown once, stored as hashes, expire and are revoked at once"),
    "A2": Promise("A scope narrows and never widens"),
    "A3": Promise("Client profiles decide which tools are seen"),
    "A4": Promise("Tool results are complete, flat and safe"),
    "A5": Promise("The MCP door passes the official conformance"),
    "A6": Promise("What one conversation remembers another recalls"),
    "A7": Promise("Recall fuses memory and knowledge within a budget"),
    "A8": Promise("Everything of an account can be exported and deleted"),
    "A9": Promise("The skill does what it lists"),
    "A10": Promise("XMemo's public client can point here"),
    "N1": Promise("No link or script reaches a visitor"),
    "N2": Promise("Figures stand in the sources"),
    "N3": Promise("Pages see public knowledge only"),
    "N4": Promise("The stream keeps to the published protocol"),
    "N5": Promise("A visitor who leaves stops the spending"),
    "N6": Promise("One generator is the pipeline"),
    "N7": Promise("The server owns the conversation"),
    "N8": Promise("Transcripts expire; addresses are never kept"),
    "N9": Promise("The public endpoint is defended in layers"),
    "W1": Promise("The console works in a real browser"),
    "W2": Promise("What a role may not do is not offered"),
    "W3": Promise("No stored text runs"),
    "W4": Promise("The console is accessible"),
    "W5": Promise("The console is fast"),
    "W6": Promise("Nothing leaves the browser but to the API"),
    "P1": Promise("One least-privileged role per function"),
    "P2": Promise("The package is reproducible, guarded and small"),
    "P3": Promise("The REST function imports quickly"),
    "P4": Promise("Two commands on a fresh machine"),
    "P5": Promise("A command-line tool for what people do daily"),
    "P6": Promise("Dashboard and alarms look at metrics that are emitted, and each alarm has a runbook"),
    "P7": Promise("What each thing consumes is measured"),
    "H1": Promise("Rooms, doors and names are as the house says"),
    "H2": Promise("Every door parses strictly and answers errors in one documented shape"),
    "H3": Promise("Settings are read once, and every bad one is reported"),
    "H4": Promise("Logs and metrics hold nothing that anybody wrote"),
}
