"""What sketches of every type have in common as values."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from .errors import DataError


class StoredValue:
    """A sketch that is compared and stored without the text."""

    #: The type of `_core`.
    _core_type: ClassVar[Any]
    _core: Any

    @classmethod
    def _of(cls, core: Any) -> Self:
        made = cls.__new__(cls)
        made._core = core
        return made

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What :meth:`to_bytes` gave; raises RunError for other bytes, cut off or changed, and
        DataError for what is no bytes."""
        if not isinstance(data, bytes):
            try:
                data = bytes(memoryview(data))
            except TypeError as error:
                kind = type(data).__name__
                raise DataError(f"a stored sketch is of type {kind}, expected bytes") from error
        return cls._of(cls._core_type.from_bytes(data))

    def to_bytes(self) -> bytes:
        """The sketch as bytes of a documented format; equal for equal sketches."""
        stored: bytes = self._core.to_bytes()
        return stored

    @property
    def sketch(self) -> str:
        """Its kind and size: ``fss:128``, ``bottom-k:128``."""
        name: str = self._core.name
        return name

    @property
    def shingle(self) -> str:
        """What a feature is."""
        shingle: str = self._core.shingle
        return shingle

    @property
    def seed(self) -> int:
        """Of all hashing."""
        seed: int = self._core.seed
        return seed

    def resemblance(self, other: Self) -> tuple[float, float]:
        """An estimate of the resemblance, and its standard error. Raises RunError where the two
        differ in kind, size, features or seed, and DataError where `other` is no sketch of this
        type."""
        estimate: tuple[float, float] = self._core.resemblance(self._same(other)._core)
        return estimate

    def _same(self, other: object) -> Self:
        if isinstance(other, type(self)):
            return other
        expected = type(self).__name__
        raise DataError(f"other is of type {type(other).__name__}, expected a {expected}")

    def __eq__(self, other: object) -> bool:
        return self._core == other._core if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self).from_bytes, (self.to_bytes(),))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.sketch} of {self.shingle}, seed {self.seed}>"


class SketchValue(StoredValue):
    """A sketch that is also merged, and that knows how large its set is."""

    def merge(self, other: Self) -> Self:
        """The sketch of the union of both sets, exactly. Raises RunError and DataError as
        :meth:`resemblance`."""
        merged = self._core.copy()
        merged.merge(self._same(other)._core)
        return self._of(merged)

    def feature_count(self) -> tuple[float, float]:
        """An estimate of how many distinct features the set has, and its standard error.

        Example:
            >>> import lookalike
            >>> lookalike.Sketch().feature_count()
            (0.0, 0.0)
        """
        estimate: tuple[float, float] = self._core.feature_count()
        return estimate
