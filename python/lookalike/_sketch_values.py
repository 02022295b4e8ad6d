"""The base classes of sketches as values."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from .errors import DataError


class StoredValue:
    """A sketch that can be compared, and stored without the text."""

    #: The corresponding type of `_core`.
    _core_type: ClassVar[Any]
    _core: Any

    @classmethod
    def _of(cls, core: Any) -> Self:
        made = cls.__new__(cls)
        made._core = core
        return made

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Reads the bytes that :meth:`to_bytes` returned. Raises RunError for any other bytes, and
        DataError for anything that is not bytes."""
        if not isinstance(data, bytes):
            try:
                data = bytes(memoryview(data))
            except TypeError as error:
                kind = type(data).__name__
                raise DataError(f"a stored sketch has type {kind}, expected bytes") from error
        return cls._of(cls._core_type.from_bytes(data))

    def to_bytes(self) -> bytes:
        """Returns the sketch as bytes in a documented format; equal sketches give equal bytes."""
        stored: bytes = self._core.to_bytes()
        return stored

    @property
    def sketch(self) -> str:
        """The kind and size of the sketch: ``fss:128``, ``bottom-k:128``."""
        name: str = self._core.name
        return name

    @property
    def shingle(self) -> str:
        """The kind of feature: ``word:5``."""
        shingle: str = self._core.shingle
        return shingle

    @property
    def seed(self) -> int:
        """The seed of all hashing."""
        seed: int = self._core.seed
        return seed

    def resemblance(self, other: Self) -> tuple[float, float]:
        """Estimates the resemblance. Returns the estimate and its standard error. Raises RunError
        if the two differ in kind, size, features or seed, and DataError if `other` is not a sketch
        of this type."""
        estimate: tuple[float, float] = self._core.resemblance(self._same(other)._core)
        return estimate

    def _same(self, other: object) -> Self:
        if isinstance(other, type(self)):
            return other
        expected = type(self).__name__
        raise DataError(f"other has type {type(other).__name__}, expected a {expected}")

    def __eq__(self, other: object) -> bool:
        return self._core == other._core if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self).from_bytes, (self.to_bytes(),))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.sketch} of {self.shingle}, seed {self.seed}>"


class SketchValue(StoredValue):
    """A sketch that can also be merged, and estimates how large its set is."""

    def merge(self, other: Self) -> Self:
        """Returns the exact sketch of the union of both sets. Raises RunError and DataError as
        :meth:`resemblance` does."""
        merged = self._core.copy()
        merged.merge(self._same(other)._core)
        return self._of(merged)

    def feature_count(self) -> tuple[float, float]:
        """Estimates how many distinct features the set has. Returns the estimate and its standard
        error.

        Example:
            >>> import lookalike
            >>> lookalike.Sketch().feature_count()
            (0.0, 0.0)
        """
        estimate: tuple[float, float] = self._core.feature_count()
        return estimate
