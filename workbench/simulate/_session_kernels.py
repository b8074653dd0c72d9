"""What sessions come to, from the wins of their rounds: integers in, integers out."""

from __future__ import annotations

from workbench.jit import kernel
from workbench.simulate._shapes_kernels import Ints


@kernel
def measure(won: Ints, bet: int, cap: int, net: Ints, need: Ints, dry: Ints) -> None:
    """``won`` [session x rounds] units a round won, one session after the other; a round pays ``cap`` at most.

    Sets, a session: ``net`` wins less bets; ``need`` the least bankroll that pays for every round; ``dry`` the longest run
    of rounds without a win.
    """
    rounds = won.shape[0] // net.shape[0]
    for session in range(net.shape[0]):
        result = most = run = longest = 0
        for i in range(session * rounds, (session + 1) * rounds):
            most = max(most, bet - result)
            win = min(won[i], cap)
            result += win - bet
            run = 0 if win > 0 else run + 1
            longest = max(longest, run)
        net[session] = result
        need[session] = most
        dry[session] = longest
