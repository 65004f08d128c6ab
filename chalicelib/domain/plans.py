"""Plans: what each sets aside, shown to people. No rule anywhere reads one to refuse (rule K19)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """What a plan sets aside."""

    id: str
    name: str
    bases: int
    items: int
    storage_mib: int


CATALOGUE = (
    Plan("free", "Free", bases=3, items=500, storage_mib=512),
    Plan("team", "Team", bases=50, items=20_000, storage_mib=20_480),
    Plan("organisation", "Organisation", bases=1_000, items=1_000_000, storage_mib=1_048_576),
)
