"""Everything after a draft is filed: its route, verdicts, reports, notes and timers. `advance` says which event is the record's."""
