"""CPU of reading one sentence by the rules, in every form that is shipped."""

import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from tests.bench.figures import Figure, Scale, Target, sample
from tests.bench.inside import readers

SENTENCES = {
    "pa_dealing": "I'd like to buy 200 Tesco for my pension, about £720",
    "requirements": "Since the last release the export to CSV stops after 500 rows for everyone in accounting, it is urgent",
    "loan": "Vorrei un prestito di 12.000 euro per la macchina, guadagno 1.850 euro al mese e sono dipendente",
    "vehicle_case": "Ayer compré un coche de segunda mano por 8.500 euros con 92.000 km y hoy el motor ya no arranca",
    "expenses": "Taxi from the airport yesterday, 42.50 EUR, and lunch with a client for 31 euros",
}
"""A sentence of the length that people write, for each form."""
BOUND = (
    "Every missing field looks for its value in the words: patterns and word tables, made once when the form is loaded."
)


def cpu_of(work: Callable[[], object], rounds: int) -> list[float]:
    """Milliseconds of CPU of each round; the first is left out where there are more."""
    found = []
    for _ in range(rounds + (rounds > 1)):
        began = time.thread_time()
        work()
        found.append((time.thread_time() - began) * 1000)
    return found[rounds > 1 :]


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """Each form's sentence, again and again."""
    for name, work in readers(folder, SENTENCES).items():
        found = sample(cpu_of(work, scale.reading_rounds))
        yield Figure("reading", f"CPU of reading one sentence: {name}", "ms", found, target=Target(most=5), bound=BOUND)
