"""Workers that are killed at a step of their work."""

from typing import Any


class Killed(BaseException):
    """The worker's process ended."""


class Mortal:
    """Passes calls on, and kills the worker at the `fatal`-th one, before or after it has happened."""

    def __init__(self, target: object, life: "Life") -> None:
        self._target = target
        self._life = life

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._target, name)

        def lived(*args: object, **named: object) -> object:
            self._life.step()
            result = call(*args, **named)
            self._life.step()
            return result

        return lived


class Life:
    """How many steps a worker has."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed
