"""English."""

from state.language.language import Claims, Commands, Corrections, Language, Offers, Purchases

LANGUAGE = Language(
    # How the language is written and shown
    code="en",
    example="en-GB",
    elides=False,
    plural_ending="s",
    legal_forms=("plc", "inc", "ltd", "ag", "se", "sa", "nv", "spa", "corp", "group", "holdings", "fund", "etf"),
    no_tickers=(
        "ADR", "AI", "AM", "AND", "AS", "ASAP", "BRIEF", "BTW", "BUY", "CAN", "CEO", "CFD", "CFO", "COO", "CTO",
        "CUSIP", "DAX", "DO", "EOD", "ESG", "ETC", "ETF", "ETFS", "EU", "FAQ", "FCA", "FIGI", "FOR", "FTSE", "FX",
        "FYI", "GDP", "GO", "HAS", "HR", "ID", "IF", "IN", "IPO", "IRA", "IS", "ISA", "ISIN", "IT", "ITS", "KID", "LEI",
        "LOL", "LSE", "MAR", "ME", "MY", "NAV", "NEW", "NO", "NOPE", "NOT", "NYSE", "OF", "OK", "OMG", "ON", "OR",
        "OTC", "PDF", "PLC", "PLS", "PM", "PR", "QA", "RE", "SEC", "SEDOL", "SELL", "SIPP", "SO", "THE", "THX", "TO",
        "UCITS", "UK", "US", "USA", "VAT", "WE", "YES", "YOU",
    ),
    # Yes, no, and what makes either uncertain
    yes_label="Yes",
    no_label="No",
    yes=(
        "yes", "yep", "yeah", "yup", "y", "sure", "of course", "certainly", "absolutely", "definitely", "correct",
        "affirmative", "indeed", "true", "that's right", "that is right",
    ),
    no=(
        "no", "nope", "nah", "n", "negative", "not at all", "absolutely not", "definitely not", "certainly not",
        "of course not", "false", "never",
    ),
    bare_no="no",
    no_negates=False,
    concord=False,
    negators=(
        "no", "not", "without", "never", "neither", "nor", "none", "nothing", "nobody", "cannot", "no longer", "non",
        "isn't", "isnt", "aren't", "arent", "ain't", "don't", "dont", "doesn't", "doesnt", "didn't", "didnt", "haven't",
        "havent", "hasn't", "hasnt", "won't", "wont",
    ),
    be=("is", "it's", "its", "are", "am", "i'm", "im", "they're", "that's", "there's", "will be", "does"),
    have=("have", "i've", "ive", "we've", "has", "got", "hold", "possess", "do"),
    weak_verbs=("it's", "its", "i'm", "im", "i've", "ive", "we've", "they're", "that's", "there's"),
    subjects=("it", "i", "we", "this", "that", "these", "there", "which", "me"),
    other_subjects=("you", "he", "she", "they"),
    links=(
        "a", "an", "any", "the", "some", "such", "my", "its", "of", "been", "be", "being", "really", "definitely",
        "actually", "indeed", "also", "now", "in fact", "certainly", "fact", "at all", "kind of", "sort of", "at",
        "all", "me", "us", "involved", "to", "and", "it",
    ),
    acknowledging=(
        "acknowledge", "acknowledged", "understand", "understood", "agree", "agreed", "accept", "accepted", "confirm",
        "confirmed", "ok", "okay", "got it", "noted", "i do", "will do", "fine",
    ),
    doubts=(
        "not sure", "unsure", "uncertain", "not certain", "don't know", "dont know", "do not know", "no idea", "maybe",
        "perhaps", "probably", "possibly", "think", "guess", "believe", "suppose", "assume", "hope", "doubt", "wonder",
        "apparently", "afaik", "as far as", "to my knowledge", "that i know", "that i'm aware", "not really", "pretend",
        "imagine", "not exactly", "not quite",
    ),
    hedges=(
        "might", "may", "could", "likely", "if", "whether", "unless", "would", "should", "used to", "not only",
        "not just", "not merely", "hardly", "barely", "seems", "sounds", "looks", "said", "says", "say", "told",
        "claims", "asked", "almost", "was", "were", "wasn't", "weren't", "had", "hadn't", "forget", "example", "nearly",
    ),
    conditions=("if", "whether", "unless", "should i", "in case"),
    exceptions=(
        "except", "apart", "other than", "besides", "more than", "yet", "enough", "unless", "only", "but", "however",
        "although", "though",
    ),
    # What joins clauses and what asks
    conjunctions=("and", "but", "however", "although", "though", "because", "so", "since", "while", "whereas", "then"),
    and_words=("and",),
    but_words=("but",),
    or_words=("or", "nor"),
    question_words=(
        "what", "what's", "whats", "which", "why", "how", "who", "whose", "when", "where", "explain", "define", "mean",
        "means", "tell me", "can you", "could you",
    ),
    question_verbs=(
        "is", "are", "am", "do", "does", "did", "can", "could", "should", "would", "will", "isn't", "aren't", "have",
    ),
    asking_meaning=(
        "what counts", "what does that mean", "what does this mean", "what does it mean", "what do you mean",
        "what is that", "what's that", "whats that", "what is this", "what's this", "what is meant", "why do you ask",
        "why are you asking", "why do you need", "why do you want to know", "why is this needed", "explain",
        "i don't understand", "i dont understand", "don't get it", "not clear", "unclear", "what's the difference",
        "meaning of", "what does", "how do you define", "can you clarify", "clarify", "come again", "huh", "example",
    ),
    # Words around a value: those that add nothing, name it, end it, or make something else of it
    polite=("please", "pls", "thanks", "thank", "you", "thx", "thank you", "cheers", "sir", "hi", "hello", "hey"),
    filler=(
        "please", "pls", "thanks", "thank", "you", "thx", "just", "it", "it's", "its", "is", "i", "i'd", "i'll", "like",
        "want", "wanna", "to", "a", "an", "the", "of", "for", "about", "approximately", "approx", "around", "roughly",
        "circa", "exactly", "my", "that", "that's", "this", "will", "be", "in", "on", "at", "let's", "so", "would",
        "go", "with", "ok", "okay", "total", "altogether", "going", "i'm",
    ),
    naming=(
        "is", "to", "of", "now", "as", "at", "be", "should", "it", "it's", "about", "around", "roughly",
        "approximately", "a", "the",
    ),
    breaks=(
        "for", "at", "about", "in", "on", "with", "because", "and", "to", "from", "by", "as", "worth", "around", "but",
        "or", "if", "through", "via", "using", "into", "today", "tomorrow", "please", "when", "since", "so", "that",
        "then", "is", "are", "was", "will", "approximately", "roughly", "under", "over", "up", "before", "after", "who",
        "via", "instead", "now", "while", "until", "till", "per", "than",
    ),
    articles=(
        "a", "an", "the", "some", "my", "our", "his", "her", "more", "of", "in", "these", "those", "this", "that",
        "any",
    ),
    stand_ins=("one",),
    units=("units", "unit", "shares", "share", "pieces", "securities", "stock", "stocks", "lots"),
    durations=(
        "year", "years", "month", "months", "week", "weeks", "day", "days", "hour", "hours", "minute", "minutes",
        "times", "percent", "years'", "yrs",
    ),
    bounds=(
        "at least", "at most", "up to", "under", "over", "below", "above", "more than", "less than", "fewer than",
        "minimum", "maximum", "max", "min", "no more than", "almost", "nearly", "per",
    ),
    rejected=("not", "isn't", "instead of", "rather than", "was", "no longer", "don't", "wasn't"),
    year_words=("in", "since", "from", "by", "until", "during", "year", "of"),
    price_words=("at",),
    each=("each", "per", "a share", "a piece", "apiece", "a pop"),
    # Numbers in words, places in a list, and money
    numbers={
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
        "eighteen": 18, "nineteen": 19, "twenty": 20,
    },
    more_numbers=(
        "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "hundreds", "dozen", "half",
        "point",
    ),
    one_article=("a", "an"),
    ordinals={
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
        "tenth": 10, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8, "9th": 9,
        "10th": 10,
    },
    last=("last",),
    option_words=("option", "number", "result", "choice", "one", "answer", "no"),
    multiples={
        "k": 1000, "thousand": 1000, "grand": 1000, "m": 10**6, "mn": 10**6, "mm": 10**6, "mln": 10**6,
        "million": 10**6, "bn": 10**9, "billion": 10**9,
    },
    currencies={
        "pound": "GBP", "pounds": "GBP", "pounds sterling": "GBP", "sterling": "GBP", "quid": "GBP", "euro": "EUR",
        "euros": "EUR", "yen": "JPY", "dollar": "", "dollars": "", "bucks": "", "francs": "", "franc": "",
        "american dollars": "USD",
    },
    percent=("percent", "per cent", "pct"),
    # Days, and stretches of them
    days={
        "today": 0, "yesterday": -1, "tomorrow": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
        "the day before yesterday": -2, "day before yesterday": -2,
    },
    coming=("next", "this", "coming", "this coming"),
    gone=("last", "past"),
    this_week=("this week", "of this week"),
    next_week=("next week", "of next week"),
    this_month=("of this month", "this month"),
    day_leads=("the", "on the"),
    day_endings=("st", "nd", "rd", "th"),
    ended_days=True,
    day_after_month=True,
    units_of_days={"day": 1, "days": 1, "week": 7, "weeks": 7},
    ahead_before=("in",),
    ahead_after=("from now", "from today"),
    ago_after=("ago",),
    months={"sep": 9, "sept": 9},
    of_words=("of", "the"),
    periods={
        "this month": "month 0", "last month": "month -1", "previous month": "month -1", "this week": "week 0",
        "last week": "week -1", "this year": "year 0", "last year": "year -1",
    },
    between=("to", "till", "until", "and", "through"),
    since=("since", "from"),
    # Times of day
    clock24=False,
    noon=("noon", "midday"),
    midnight=("midnight",),
    hour_parts={"half past": 30, "quarter past": 15, "a quarter past": 15, "quarter to": -15, "a quarter to": -15},
    hour_parts_lead=True,
    morning=("am", "a m", "in the morning", "o'clock in the morning", "o clock in the morning"),
    afternoon=(
        "pm", "p m", "in the afternoon", "in the evening", "at night", "in the night", "o'clock in the afternoon",
        "o'clock in the evening", "o clock in the afternoon", "o clock in the evening",
    ),
    halves={"morning": "a", "afternoon": "p", "evening": "p"},
    hour_marks=("at", "o'clock", "o clock"),
    commands=Commands(
        orders={
            "cancel": (
                "cancel", "cancel it", "cancel this", "cancel that", "cancel request", "cancel my request",
                "cancel the request", "cancel this request", "abort", "stop", "quit", "exit", "forget it", "never mind",
                "nevermind", "discard it", "discard this", "withdraw it",
            ),
            "restart": (
                "start over", "start again", "restart", "start from scratch", "begin again", "reset", "start anew",
                "start fresh", "from the beginning", "start from the beginning",
            ),
            "help": (
                "help", "help me", "what can you do", "how does this work", "what can i do", "i need help", "commands",
                "how do i use this",
            ),
            "missing": (
                "what's missing", "whats missing", "what is missing", "missing", "what's left", "whats left",
                "what is left", "what else", "what else do you need", "what do you need", "what do you still need",
                "how much is left", "how much longer", "show what's missing", "what remains", "where are we",
                "where was i", "where were we", "progress", "status",
            ),
            "person": (
                "talk to a person", "speak to a person", "talk to a human", "speak to a human", "talk to someone",
                "speak to someone", "speak with someone", "speak with a person", "speak with a human",
                "talk with a person", "a real person", "real person", "human", "human please", "operator",
                "agent please", "talk to compliance", "speak to compliance", "contact compliance", "hand me over",
                "i want a person", "i want a human", "call a person", "get me a human", "get me a person",
            ),
            "undo": (
                "undo", "undo that", "undo it", "undo the last change", "take that back", "take it back", "revert",
                "revert that", "change it back", "put it back",
            ),
            "submit": (
                "submit", "submit it", "submit this", "submit now", "submit my request", "submit the request",
                "send it", "send it off", "file it", "file this", "i'm done", "im done", "done", "all done", "finish",
                "that's all", "that's it", "i'm finished", "review", "show the review",
            ),
            "my_requests": (
                "my requests", "show my requests", "list my requests", "show me my requests", "my submissions",
                "my records", "what have i submitted", "my drafts",
            ),
            "my_data": (
                "my data", "show my data", "show me my data", "send me my data", "what do you know about me",
                "what data do you have about me", "all my data", "a copy of my data",
            ),
            "erase": (
                "erase my data", "delete my data", "erase all my data", "delete all my data",
                "delete everything about me", "forget me", "erase me",
            ),
        },
        leads=(
            "please", "can i", "could i", "may i", "can you", "could you", "would you", "i want to", "i'd like to",
            "i would like to", "let me", "i need to", "let's", "ok", "okay", "so", "hey", "hi", "hello", "just",
            "sorry", "actually", "i wish to", "now", "then", "yes", "well",
        ),
        tails=("please", "pls", "now", "thanks", "thank you", "thx", "then", "for me", "again", "instead"),
        person=(
            "talk to a person", "speak to a person", "talk to a human", "speak to a human", "talk to someone",
            "speak to someone", "speak with someone", "real person", "a human being",
        ),
        slash={"my_data": "/my_data", "erase": "/erase_my_data"},
    ),
    corrections=Corrections(
        cues=(
            "actually", "make it", "make that", "change", "should be", "should have been", "instead", "sorry",
            "i meant", "i mean", "meant to say", "correction", "correct that", "rather", "update", "wait",
            "on second thought", "on second thoughts", "scratch that", "switch", "let's do", "not anymore", "set it to",
            "oops", "my mistake", "wrong", "mistake",
        ),
        changes=("change", "update", "set", "switch", "correct", "amend", "edit", "fix", "modify"),
    ),
    offers=Offers(
        accepting=(
            "no problem", "not a problem", "why not", "not bad", "that's it", "that is it", "don't mind", "do not mind",
            "wouldn't mind", "would not mind", "i don't mind", "i do not mind", "i wouldn't mind", "i would not mind",
            "ok", "okay", "k", "all right", "alright", "good", "great", "perfect", "fine", "nice", "excellent",
            "awesome", "lovely", "wonderful", "fantastic", "cool", "super", "right", "exactly", "works", "that works",
            "works for me", "works great", "work for me", "sounds good", "sounds great", "sounds fine",
            "sounds perfect", "sounds nice", "sounds right", "sounds like a plan", "looks good", "looks great",
            "looks right", "would be great", "would be good", "would be fine", "would be nice", "would be perfect",
            "will be good", "will be great", "will be fine", "will work", "would work", "that one", "this one",
            "use this", "use that", "i'll take it", "i'll take that", "i'll take this", "i will take it",
            "i will take that", "take it", "go ahead", "do it", "do that", "let's do it", "let's do that",
            "let's do this", "let's go with that", "let's go with it", "let's go with this", "i'll go with that",
            "go with that", "go for it", "please do", "i like it", "i like that", "i like this", "i love it",
            "i want it", "i want that", "i want this", "i'd like that", "i'd like it", "i would like that",
            "i would like it", "that'll do", "that will do", "suits me", "deal",
        ),
        wanting=(
            "i need", "i'll need", "i just need", "i want", "i'd like", "i would like", "i'll take", "we need",
            "we want", "get me",
        ),
        beside=(
            "for me", "with me", "for us", "very", "so", "just", "totally", "also", "too", "that'll", "that will",
            "that would", "be", "much", "it", "then", "well", "a lot", "a", "the",
        ),
        refusing=(
            "instead", "rather", "else", "other", "others", "another", "different", "neither", "wrong", "change",
            "wait", "mind",
        ),
        picking=("that one", "this one", "use this", "that's it"),
        pointing=("it's", "it", "is", "use"),
    ),
    claims=Claims(
        filed=(
            "submitted", "filed", "sent (?:it|this|your)", "approved", "recorded your", "saved", "finali[sz]ed",
            "pre-?cleared",
        ),
        saved=("saved",),
        cancelled=("cancell?ed",),
        done=(
            "added", "deleted", "removed", "updated", "changed", "recorded", "logged", "saved", "booked", "undone",
            "confirmed", "done",
        ),
        pending=("before", "once", "until", "when", "if", "ready to", "can", "will"),
        denied=("not", "no", "nothing", r"\w+n't"),
        machinery=("tools?", "function call", "json", "ground truth", "action summary", "system prompt", "schema"),
        requests=("confirm", "tell me", "specify", "provide", "let me know", "state", "enter"),
        request_leads=("please", "could you", "can you", "kindly"),
        joining=(
            "a an the and or but so if then than as of for to from in on at by with without about into over under",
            "up down out off per between through before after during while when whenever where who whom whose",
            "which what why how that this these those there here it its itself i me my we us our you your yours",
            "is are was were be been being am isn't aren't wasn't don't doesn't didn't do does did can could",
            "would should may might will not no nor yes any some each every other others another same such both",
            "either more most less few many much own only just also too very quite still again already yet ever",
            "often sometimes usually always first last next now today one ones",
        ),
        harmless=(
            "thank thanks thankful please welcome hello hi hey sorry okay ok right sure fine certainly course",
            "good morning afternoon evening day apologies understood understand understandable see noted hear",
            "sounds sound clear clearer helpful useful interesting kind gladly happy glad appreciate take time",
            "hurry rush worry problem trouble patience bear step steps bit little short briefly simply plainly",
            "together thing things something anything someone anyone people person let's let i'd i'll i'm that's",
            "it's there's here's what's who's how's you'd lead leads moving move moves turn turns back go goes",
            "going come comes coming start starts started begin begins continue continues look looks looking find",
            "finds found keep keeps leave question questions answer answers word words topic point part parts",
            "line lines detail details example examples instance times occasion tell* told say* said ask* talk*",
            "speak* describ* explain* mention* show* share* give* gave know* knew think* thought mean* meant",
            "understand* happen* work* use* user* need* want* wish* help* make* made get* got have has had having",
            "put try tries tried like* matter* depend* notice* feel* felt walk* exact* precis* rough* approximat*",
            "concrete* specific* particular* usual* normal* typical* actual* current* recent* latest late early",
            "earlier later long often frequent* rare* daily day* week* month* year* hour* minute* morning*",
            "evening* before afterwards easy easier hard harder difficult* slow* fast* quick* wrong broken fail*",
            "trouble* problem* issue* case* situation* result* reason* cause* goal* purpose* aim* task* job*",
            "process* today's way ways place* kind* sort* type* number* many amount* name* number part* whole",
            "side* end ends big* small* large* important* priority* urgent* must-have nice worst best better",
            "worse new old different* similar* alike like unlike instead rather except* besides stands stand gone",
            "went affect* tiring tired beyond around across near far inside outside alone else edge* limit* least",
            "most enough everyone team* group* role* users customers colleagues hand hands place summary* form",
            "feature* bug* spike read* writ* wrote open* clos* click* press* type typed choose* pick* skip*",
            "select* wait* stop* stuck happen spend* spent cost* price* money yourself themselves they them their",
            "he she his her him",
        ),
        sure=(
            r"yes|yep|yeah|indeed|agreed|i'?m (?!sorry|glad|happy to|not sure i)",
            r"i am (?!sorry|glad|happy to|not sure)",
            r"(?:right|correct|perfect|nice) (?:answer|choice|one|reason)|(?:happy|glad|fine) (?:for|with)",
            r"(?:i|we)(?:'ve| have|'d| had)(?! a question| to ask)",
            r"(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| shall) (?!ask|keep|wait|begin|start|"
            r"go on|continue|listen|try|stay|need to ask)",
            r"(?:it|that|this|everything|all|your \w+|the \w+|they|he|she)(?:'s| is| are| was| were| has|"
            r" have|'ve| will|'ll) (?:now |all |already |just |been |be |being |fully |automatically |"
            r"officially )*(?:set|in|on|through|ok|okay|fine|good|right|clear|safe|valid|correct|ready|due|"
            r"free|closed|open|over|with|out|up|down|noted|there|received|known|enough)",
            r"you(?:'re| are) (?:now |all |already |just |still )*(?!welcome|asking|talking|looking|"
            r"describing|saying|telling)",
            r"(?:you|users|people|employees|anyone|everyone|they) (?:may|can|could|might|must|shall|should|"
            r"will|cannot|can't|must not|need to|have to|ought)(?! (?:also )?(?:tell|say|answer|describe|"
            r"explain|show|share|give|take|walk|write|add|skip|click|choose|pick|ask|type|use|help|mention|"
            r"think|point))",
            r"must|have to|has to|ought to|shall|never|always|allow\w*|permit\w*|permission|forbid\w*",
            r"forbidden|entitle\w*|eligib\w*|authori[sz]\w*|clear(?:ed|ance)|green light|go-?ahead",
            r"approv\w*|reject\w*|refus\w*|declin\w*|accept\w*|confirm\w*|grant\w*|guarante\w*|promis\w*",
            r"assur\w*|certain to|bound to|no problem with",
            r"submitt\w*|fil(?:ed|ing)|sent|send\w*|sav(?:ed|ing)|stor(?:ed|ing)|record\w*|register\w*",
            r"logg\w*|forward\w*|pass(?:ed|ing) (?:it|this|that|on|your)|complet\w*|finish\w*|finali\w*",
            r"done|settl\w*|sort(?:ed)|cancel\w*|delet\w*|remov\w*|updat\w*|chang(?:ed|ing)",
            r"correct(?:ed|ing)|add(?:ed|ing)|fill(?:ed|ing)|book\w*|schedul\w*",
            r"set (?:it|the|your|up|to|as)|put (?:it|that|this|you|your|them|the|down)|took|taken|wrote",
            r"written|got (?:it|that|your) (?:down|in|as|to)",
            r"polic\w*|rules?|regulat\w*|law\w*|legal\w*|illegal\w*|tax\w*|complian\w*|lawyer\w*|attorney",
            r"court|contract\w* law|deadline\w*|due|expire\w*|within (?:the |a |an )?\w+",
            r"by (?:tomorrow|tonight|today|monday|tuesday|wednesday|thursday|friday|saturday|sunday|the end|"
            r"next|noon|\d)",
            r"until|no later|latest|shortly|soon|tomorrow|tonight|immediately|right away",
            r"in (?:a |an |the )?(?:few |couple |next |\d+ )+\w+|next (?:day|week|month|year|morning)",
            r"this (?:week|month|evening|afternoon)",
            r"reference|ticket|case number|account number|password",
            r"(?:the|an|your) answer (?:is|was|will)",
            r"(?:he|she|they|someone|somebody|nobody|everyone|everybody|other (?:users|people|colleagues|"
            r"teams)|your (?:manager|boss|team|colleague\w*|client\w*|customer\w*)|the (?:team|manager|office|"
            r"bank|users|people|group|person)|a (?:person|human|colleague)|most (?:people|users|teams)|"
            r"others)(?: already| also| all| just| still| now| never| always)* (?:is|are|was|were|has|have|"
            r"had|will|would|can|could|may|must|do|does|did|said|says|say|think\w*|want\w*|know\w*|need\w*|"
            r"use\w*|read\w*|look\w*|get\w*|got|told|tell\w*|ask\w*|like\w*|give\w*|gave|went|go|goes|come\w*|"
            r"find\w*|found|work\w*|spen[dt]\w*|see\w*|saw|agree\w*|help\w*)",
            r"(?:i|we) (?:ran|run|call\w*|us(?:e|ed|ing)|set|add\w*|fill\w*|put|made|make|did|do|gave|checked|"
            r"check|found|looked|got|went|start\w*|clos\w*|open\w*|mov\w*|turn\w*|chose|pick\w*|select\w*|"
            r"press\w*|click\w*|read|wrote|spoke|talked|told|asked|said|think|know|believe|feel|suggest|"
            r"recommend|advise|bet|like|love|need|want|wish|noticed?|wait\w*|keep|left|leave|showed?|named|"
            r"typed?|stopp?\w*|skipp?\w*)(?! (?:to (?:ask|understand|know|hear)|you(?:r time)?\.?$))",
            r"nothing|everything|all (?:set|good|done|fine|clear|right then)|no one|nobody|zero|half",
            r"double|triple|dozen|hundred\w*|thousand\w*|million\w*|twice|percent\w*",
            r"(?:good|great|nice|best|better|worst|worse|wrong|bad|poor|short|brief|vague|long|small|big|hard|"
            r"easy|clear|important|interesting) (?:idea|choice|answer|reason|example|point|plan|decision|"
            r"description|way|solution|job|work|one|thing|detail\w*)",
            r"not (?:needed|need|want\w*|important|clear|enough|much|many|a problem|an issue|the case|possible)",
            r"there(?:'s| is| are| was| were) (?:no|not|nothing|a|an|one|some|only)",
        ),
        personal=(
            r"you(?:'ve| have|'d| had| said| told| mentioned| named| gave| wrote| typed| meant| mean|"
            r" want(?:ed)?| need(?:ed)?| like(?:d)?| know| knew| think| thought| feel| felt| seem| sound|"
            r" work(?:ed)?| use(?:d)?| spend| spent| do| did| don't| didn't| do not| did not| were| get| got|"
            r" made| make| asked| ask| chose| picked| left| skipped| forgot| show(?:ed)?| shared| described|"
            r" explained| answered| read| find| found| see| saw| look(?:ed)?| tried| help(?:ed)?| keep| kept|"
            r" pay| live| own|r? answer\w* (?:is|was|are|were|sound\w*|seem\w*|look\w*)|(?:r) \w+ (?:is|was|"
            r"are|were|has|sounds?|seems?|looks?|needs?|means?|says?|shows?|works?|takes?|costs?|isn't|wasn't|"
            r"could be|would be))(?! (?:me )?so far)",
            r"(?:the|this|that|it) (?:answer|reason|example|description|text|words?|line|detail\w*|"
            r"justification)? ?(?:is|was|sounds?|seems?|looks?|feels?|reads?) (?:a bit |a little |quite |"
            r"very |rather |too |still |not |so )*(?:short|brief|vague|long|small|thin|little|good|bad|wrong|"
            r"fine|hard|easy|nice|better|worse|unclear|rough|interesting|important|like|broken|slow|fast|big|"
            r"old|new)",
            r"i (?:noticed?|see|understand|hear|gather|know|read) (?:that |your |you |from )",
        ),
        complete=(
            r"that(?:'s| is| was) (?:all|it|the last|everything|enough)|(?:that|this) (?:makes|leaves)",
            r"last (?:one|question|step|thing|point)|(?:nothing|no) (?:more|else|other|further)",
            r"no (?:more )?questions|enough|only (?:this|that|one|the last)",
            r"we(?:'re| are) (?:there|through|at the end)|the end",
        ),
        lacking=(
            r"(?:still|only|just|also) (?:need\w*|want\w*|miss\w*|lack\w*|open|left|outstanding|to go|to come|"
            r"unclear|unanswered)",
            r"remain\w*|missing|unanswered|outstanding|lacks?|lacking|left (?:open|out|over)",
            r"(?:i|we) (?:still |just |also |only )*(?:need|want|wait)\w*",
            r"(?:not|n't) (?:yet )?(?:told|said|answered|mentioned|given|named|known|know|clear)|yet to",
            r"don't (?:yet )?(?:have|know)|waiting for|open question|is open|comes? next",
            r"next (?:is|comes|up)|now (?:to|for|the|your)|turn to|moving (?:on )?to|move (?:on )?to",
            r"back to|go to|on to",
        ),
        leading=(
            r"^(?:could|should|would|can|will|is|are|was|were|does|did|has|have) (?:the|a|an|it|we|they|this|"
            r"that|these|your|my|our)",
            r"would you like (?:the|a|an|it|your)",
            r"(?:don't|wouldn't|couldn't|shouldn't|isn't|aren't|won't|doesn't|didn't|can't|haven't|"
            r"hasn't) (?:you|it|that|this|they|we|the|there)",
            r"(?:isn't|doesn't|wouldn't|won't|right|correct|yes|no|okay|ok|agreed) ?\?$",
            r"(?<!what )(?<!how )(?<!who )(?<!which )(?<!why )(?<!when )(?<!where )(?:did you know|"
            r"do you (?:realise|realize|know|agree) (?:that|your|it|you)|would it (?:help|be better|not)|"
            r"should (?:it|we|i|there|the)|shall (?:we|i)|could (?:it|we)|would (?:a|an|the|you (?:like|"
            r"prefer|rather)) (?!to (?:tell|describe|explain|give|share))|is it (?:because|that)|"
            r"have you (?:tried|thought|considered))",
            r"what if|how about|what about|why not|given that|since your|now that|as (?:your|you|it)",
            r"(?:what|who|whom|which|how|when|where|why)\b.*(?:,| and| or)\s+(?:and |or |also )?(?:what|who|"
            r"whom|which|how|when|where|why|is|are|do|does|did|can|could)\b",
            r"\?.*\?",
        ),
        leads_over=(
            r"(?:question|questions|word|words) (?:about|on)",
        ),
        leaning=(
            "but", "so", "that", "this", "it", "then", "also", "therefore", "and", "or", "because",
            "which", "they", "these", "those", "otherwise", "however",
        ),
    ),
    purchases=Purchases(
        each=("at", "each", "a"),
        edges=(
            "a", "an", "the", "for", "on", "at", "in", "of", "to", "my", "some", "and", "i", "spent", "paid", "bought",
        ),
        naming=("to", "in", "a"),
    ),
)  # fmt: skip
