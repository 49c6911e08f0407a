"""What is wrong with a list that ships, in the sentences of `blocks/phrases/en.toml` (a test holds them alike)."""

from collections.abc import Mapping

from state.lists.reading import Finding

SENTENCES: Mapping[str, str] = {
    "list_workbook": "This is a workbook of a spreadsheet program. Save the sheet as CSV and use that file.",
    "list_large": "This file is too large: a list has at most 2 MB.",
    "list_no_text": "This is no text that I can read. Save the sheet as CSV (UTF-8) and use that file.",
    "list_empty": "There is nothing in this file, not even a heading.",
    "list_long": "There are too many lines: a list has at most 10,000.",
    "list_strange_column": "The heading has “{column}”, which is no column of this list. Its columns are: {columns}.",
    "list_double_column": "The heading has {column} twice. Leave one of them.",
    "list_no_column": "The heading lacks {column}. The columns are: {columns}.",
    "list_more_cells": "There are more cells than the {most} of the heading. Put quotes around a text that holds what parts the cells.",
    "list_hidden": "{column} has characters that cannot be seen. Write it anew, without them.",
    "list_empty_cell": "{column} is empty. Fill it in.",
    "list_unknown": "{column}: “{value}” is not known here. Correct it.",
    "list_computed": "{column}: “{value}” begins like a formula. Write it without that sign.",
    "list_too_long": "{column} is longer than {most} characters. Shorten it.",
    "list_bad_identifier": "{column}: “{value}” is no valid {scheme}: its check digit is off, or a character is missing. Correct it.",
    "list_bad_choice": "{column}: “{value}” is none of these: {choices}.",
    "list_bad_number": "{column}: “{value}” is no whole number. Write it like 10000.",
    "list_long_number": "{column}: “{value}” has too many digits. A number has at most 15.",
    "list_out_of_range": "{column}: {value} is out of bounds. The least is {least}, the most {most}.",
    "list_bad_date": "{column}: “{value}” is no day. Write it like 2026-11-20.",
    "list_either_date": "{column}: “{value}” may be two days, since nothing says which number is the month. Write it like 2026-11-20.",
    "list_one_of": "Exactly one of these has to be filled in: {columns}.",
    "list_ends_first": "{column} comes before {other}. Correct one of them.",
    "list_falls": "{column} of “{row}” is above that of “{other}”. Correct one of them.",
    "list_twice": "“{row}” stands in line {other} already. Leave one of them.",
    "list_strange_row": "“{row}” is none of this list's rows, which are always the same. Correct its name.",
    "list_said": "A rule of this form does not allow that: {text}",
    "list_unread": "A rule of this form cannot read this line. Correct it, or ask whoever looks after the form.",
    "list_no_row": "“{row}” is missing. The rows of this list are always the same; only what stands in them changes.",
}


def sentence(finding: Finding) -> str:
    """The finding in words."""
    return SENTENCES[finding.key].format(**finding.args)
