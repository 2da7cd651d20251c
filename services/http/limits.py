"""How much one caller may ask: a bucket each, that fills at a steady rate and is emptied by requests."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from services.access import Caller
from services.credentials import CALLER
from services.http.replies import AnyRequest
from services.problems import ProblemError
from services.words import Words

REMEMBERED = 10_000
"""So many callers are remembered; who was not heard of for longest is forgotten first."""


class Rate:
    """``rate`` requests a second to each caller, ``burst`` at once; an admin may ask without limit, so may everybody at rate 0."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> float:
        """Counts a request. Gives 0, or the seconds after which there is room for one."""
        now = self._clock()
        left, since = self._buckets.pop(who, (float(self._burst), now))
        left = min(self._burst, left + (now - since) * self._rate)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate
        self._buckets[who] = (left - 1 if wait == 0 else left, now)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return wait

    def admit(self, request: AnyRequest) -> None:
        """Lets a request pass, or not; its caller must have been identified.

        Raises:
            ProblemError: too-many, with the seconds to wait.
        """
        self.admit_caller(request.scope["state"][CALLER], "" if request.client is None else request.client.host)

    def admit_caller(self, caller: Caller | None, host: str) -> None:
        """Lets a request of a caller pass, or not; ``host`` is where it comes from.

        Raises:
            ProblemError: too-many, with the seconds to wait.
        """
        if self._rate <= 0 or (caller is not None and caller.is_admin):
            return
        wait = self.take(f"host {host}" if caller is None or caller.role is None else f"name {caller.name}")
        if wait > 0:
            seconds = int(wait) + 1
            detail = Words(f"请求太快，{seconds} 秒后再试", f"too many requests; try again in {seconds} s")
            raise ProblemError("too-many", detail, headers={"Retry-After": str(seconds)})
