"""``convert``: from one format to another, chosen by the ending of the name."""

from argparse import Namespace

from services.cli.output import CLEAN, USAGE, complain, data_of, problem_of, put, say
from services.formats.media import Format, format_of_name
from services.formats.reading import read
from services.formats.writing import write, write_lines
from services.problems import ProblemError
from services.words import Words


def convert_file(options: Namespace) -> int:
    """Writes the records of one file to another. Nothing is written unless all of them can be read."""
    form: Format | None = "jsonl" if options.output == "-" else format_of_name(options.output)
    if form is None:
        say(Words(f"{options.output} 的结尾不是已知的格式", f"{options.output} does not end in a known format"), options.lang)
        return USAGE
    try:
        readings = read(data_of(options.input))
    except ProblemError as problem:
        return complain(problem, options.lang, as_json=False)
    unread = [reading for reading in readings if reading.record is None]
    if unread:
        return max(complain(problem_of(reading), options.lang, as_json=False, source=options.input) for reading in unread)
    records = [reading.required() for reading in readings]
    if len(records) > 1 and form != "jsonl":
        say(Words(f"{len(records)} 份记录只能写成 .jsonl", f"{len(records)} records can only be written as .jsonl"), options.lang)
        return USAGE
    data = write(records[0], form) if len(records) == 1 else write_lines(records)
    put(data, options.output)
    return CLEAN
