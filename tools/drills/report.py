"""What a drill comes to."""

import msgspec


class Drill(msgspec.Struct, frozen=True, kw_only=True):
    """One drill: appends that were acknowledged, and of these the lost; events that are stored twice; faults of the audit behind it.

    ``recovery`` are the seconds from the end of each disturbance to the first append behind it; ``told`` are further figures.
    ``skipped`` says why it could not be done here.
    """

    name: str
    acknowledged: int = 0
    lost: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    recovery: tuple[float, ...] = ()
    told: dict[str, float | str] = {}
    skipped: str | None = None

    @property
    def sound(self) -> bool:
        """Whether nothing was lost, doubled or broken."""
        return not (self.lost or self.doubled or self.faults)
