"""A form with a welcome, variants, a decision, several of a thing, a way that files, and a person who takes over."""

FORM = """
title = "Holiday"
version = "1"
prefix = "HO"
words = ["holiday"]
stuck = "hand_over"
patience = 3

[repeats.trip]
most = 3
more = "another_trip"

[fields.kind_of_work]
kind = "choice"
label = "Work"
ask = "What is your work?"
choices = [{ value = "desk", label = "Desk" }, { value = "field", label = "Field" }, { value = "both", label = "Both of them" }]
stage = "work"

[fields.manager]
kind = "text"
short = true
label = "Manager"
ask = "Who is your manager?"
when = { kind_of_work = "desk" }
stage = "details"

[fields.trip_days]
kind = "integer"
label = "Trip {n}: days"
ask = "How many days is trip {n}?"
repeat = "trip"
stage = "details"

[fields.another_trip]
kind = "yes_no"
label = "More than {n}"
ask = "Is there another trip after trip {n}?"
repeat = "trip"
stage = "details"

[fields.gear]
kind = "choices"
label = "Gear"
ask = "What do you take along?"
choices = ["Tent", "Boat", "Skis"]
stage = "details"

[fields.class_of_travel]
kind = "choice"
label = "Class"
ask = "Which class?"
choices = ["first", "second"]
default = "second"
required = false

[fields.visit]
kind = "date"
label = "Visit"
ask = "When do you come by?"
stage = "visit"

[stages.welcome]
ask = "Welcome. Shall we begin?"
transitions = [{ on = "proceed", to = "work", label = "Let us begin", words = ["go ahead"] }]

[stages.work]
transitions = [
  { on = "desk", to = "details_desk", when = { kind_of_work = "desk" }, automatic = true },
  { on = "field", to = "details_field", when = { kind_of_work = "field" }, automatic = true },
  { on = "both", to = "with_person", when = { kind_of_work = "both" }, automatic = true },
]

[stages.details]
variants = ["desk", "field"]
transitions = [{ to = "deciding" }]

[stages.deciding]
code_only = true
decide = "enough"
transitions = [{ on = "fits", to = "result" }, { on = "fits_not", to = "sorry" }]

[stages.result]
transitions = [
  { on = "schedule", to = "visit", label = "Arrange a visit", words = ["let us arrange a visit"] },
  { on = "done", to = "ended", submits = true },
]

[stages.visit]
transitions = [{ on = "booked", to = "ended", submits = true }, { on = "skip", to = "ended", submits = true, label = "Without a visit" }]

[stages.sorry]
ask = "That is too long for one year."
final = true

[stages.ended]
ask = "Enjoy your holiday."
final = true

[stages.with_person]
hands_over = true

[[anywhere]]
on = "burnout"
to = "with_person"
mentions = ["burnt out"]

[[anywhere]]
on = "person"
to = "with_person"
words = ["operator please"]
"""
RULES = """
from state.rules import Decision, Rules


def enough(draft, facts):
    days = sum(v.data for n, v in draft.values.items() if n.startswith("trip_days"))
    return Decision("fits", (f"{days} days fit.",)) if days <= 30 else "fits_not"


rules = Rules(decisions={"enough": enough})
"""
