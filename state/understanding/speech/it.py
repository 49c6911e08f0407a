"""Italian orders, corrections and questions."""

from state.understanding.speech.speech import Speech

ITALIAN = Speech(
    orders={
        "cancel": (
            "annulla", "annullare", "annulla tutto", "annulla la richiesta", "annullare la richiesta",
            "annulla richiesta", "cancella", "cancella tutto", "lascia perdere", "lasci perdere", "esci", "ferma",
            "basta",
        ),
        "restart": (
            "ricomincia", "ricominciare", "ricomincia da capo", "ricominciare da capo", "ricominciamo", "da capo",
            "riparti", "ricomincia dall'inizio",
        ),
        "help": (
            "aiuto", "aiutami", "mi aiuti", "ho bisogno di aiuto", "come funziona", "cosa puoi fare",
            "cosa può fare",
        ),
        "missing": (
            "cosa manca", "che cosa manca", "che manca", "quanto manca", "cosa resta", "cos'altro serve",
            "a che punto siamo", "cos'altro",
        ),
        "person": (
            "operatore", "un operatore", "parlare con una persona", "parlare con un operatore",
            "parlare con qualcuno", "parlare con un umano", "voglio una persona", "una persona vera", "consulente",
            "parlare con un consulente", "umano",
        ),
        "undo": ("annulla l'ultima modifica", "annulla modifica", "torna indietro", "ripristina", "come prima"),
        "submit": (
            "invia", "inviare", "invia la richiesta", "invialo", "manda", "mandala", "ho finito", "fatto", "è tutto",
            "procedi con l'invio", "inoltra",
        ),
        "my_requests": (
            "le mie richieste", "mie richieste", "mostra le mie richieste", "le mie pratiche",
            "elenca le mie richieste",
        ),
        "my_data": (
            "i miei dati", "miei dati", "mostra i miei dati", "mi mostri i miei dati", "che dati avete su di me",
            "quali dati avete su di me", "una copia dei miei dati", "copia dei miei dati",
        ),
        "erase": (
            "elimina dati", "elimina i miei dati", "elimini i miei dati", "cancella i miei dati", "cancelli i miei dati",
            "eliminare i miei dati", "cancellare i miei dati", "elimina tutti i miei dati",
        ),
    },
    leads=(
        "per favore", "per cortesia", "posso", "potrei", "può", "puoi", "vorrei", "voglio", "ok", "allora", "scusi",
        "scusa", "salve", "buongiorno", "ciao", "desidero", "adesso", "ora", "sì",
    ),
    tails=("per favore", "per cortesia", "grazie", "adesso", "ora", "subito", "prego"),
    person=(
        "parlare con una persona", "parlare con un operatore", "parlare con qualcuno", "parlare con un umano",
        "una persona vera",
    ),
    cues=(
        "in realtà", "anzi", "cambia", "cambi", "cambiare", "correggi", "corregga", "correzione", "modifica",
        "modifichi", "scusi", "scusa", "volevo dire", "intendevo", "invece", "facciamo", "faccia", "dovrebbe essere",
        "deve essere", "mi sono sbagliato", "mi sono sbagliata", "ho sbagliato", "metti", "metta", "piuttosto",
        "aspetti", "aspetta",
    ),
    changes=(
        "cambia", "cambi", "cambiare", "correggi", "corregga", "modifica", "modifichi", "aggiorna", "imposta",
    ),
    meaning=(
        "che cosa significa", "cosa significa", "che significa", "cosa vuol dire", "che vuol dire", "cosa intende",
        "cosa si intende", "cosa intendi", "perché lo chiede", "perché lo chiedi", "perché me lo chiede",
        "a cosa serve", "non capisco", "non ho capito", "può spiegare", "spieghi", "spiega", "spiegami", "cos'è",
        "che cos'è", "che cosa conta", "cosa conta", "esempio",
    ),
    accepting=(
        "ok", "okay", "va bene", "va benissimo", "bene", "benissimo", "perfetto", "ottimo", "certo", "d'accordo",
        "esatto", "giusto", "volentieri", "mi va bene", "per me va bene", "mi piace", "lo prendo", "la prendo",
        "prendo questo", "prendo quello", "questo", "quello", "questa", "quella", "proceda", "procedi",
        "procediamo", "facciamo così", "va bene così", "così", "mi sembra buono", "mi sembra ottimo",
        "mi sta bene", "sta bene", "perfetta", "ottima",
    ),
    wanting=("vorrei", "voglio", "mi serve", "mi servirebbe", "ho bisogno", "vorremmo", "ci serve", "desidero"),
    beside=(
        "per me", "molto", "anche", "allora", "proprio",
    ),
    refusing=(
        "invece", "piuttosto", "altro", "altra", "altri", "altre", "diverso", "diversa", "sbagliato", "cambia",
        "cambi", "aspetta", "aspetti",
    ),
)  # fmt: skip
