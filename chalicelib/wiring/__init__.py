"""The fuse box: settings in, use cases out.

Here nothing is decided that a test could not decide otherwise: it hands in other pipes.
"""

from functools import cache

from chalicelib.domain.watching import Journal
from chalicelib.settings import Settings
from chalicelib.wiring.laying import lay
from chalicelib.wiring.pipes import Pipes
from chalicelib.wiring.services import Services, assemble

__all__ = ["Pipes", "Services", "assemble", "journal", "lay", "services", "settings"]


@cache
def settings() -> Settings:
    """The settings of this process. Raises BadSettings."""
    return Settings.read()


@cache
def services() -> Services:
    """The use cases of this process, made at the first call."""
    return assemble(lay(settings()))


@cache
def journal() -> Journal:
    """The journal of this process."""
    from chalicelib.adapters.powertools import LogJournal

    return LogJournal(settings().stage, settings().log_level)
