"""``rules``: the rules, options and readings of the games, as the program judges by them."""

from argparse import Namespace

import msgspec
from msgspec import UNSET

from services.catalogue import RuleAnswer, catalogue, rules_of_id
from services.cli.output import CLEAN, UNREADABLE, say, show, show_json
from services.wording import GAMES
from services.words import Language, Words


def show_rules(options: Namespace) -> int:
    """Prints one rule, or all rules and options."""
    found = catalogue(options.lang, options.game)
    rules, listed, readings = found.rules, found.options, found.readings
    if options.id is not None:
        rules, listed, readings = rules_of_id(options.id, options.lang), [], []
        if not rules:
            say(Words(f"没有规则 {options.id}", f"there is no rule {options.id}"), options.lang)
            return UNREADABLE
    if options.json:
        for answer in (*rules, *listed, *readings):
            show_json(answer)
        return CLEAN
    game = ""
    for rule in rules:
        if rule.game != game:
            game = rule.game
            show(GAMES[game].in_(options.lang))
        reading = "" if rule.reading is UNSET else f"  [{rule.reading}]"
        show(f"  {rule.id}  {rule.kind}  {rule.text}{reading}")
        if options.id is not None and rule.cite:
            show(f"    「{rule.cite}」 {rule.source}")
        if options.id is not None:
            _tell_more(rule, options.lang)
    for option in listed:
        values = " | ".join(str(value) for value in option.values)
        show(f"  {option.game} {option.name}  {values}  {option.text}")
    for reading in readings:
        show(f"  {reading.game} {reading.id}  {reading.text}")
    return CLEAN


def _tell_more(rule: RuleAnswer, language: Language) -> None:
    """The reading in full, the options that touch the rule, and a record that breaks it."""
    if rule.reading_text is not UNSET:
        show(f"    {rule.reading}  {rule.reading_text}")
    if rule.options:
        show(f"    {Words('选项', 'options').in_(language)}  {', '.join(rule.options)}")
    if rule.example is not UNSET:
        record = msgspec.json.encode(rule.example.record).decode()
        seq = rule.example.seq
        show(Words(f"    例：第 {seq} 号事件违反它", f"    an example, which breaks it at event {seq}").in_(language))
        show(f"    {record}")
