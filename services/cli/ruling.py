"""``rules``: the rules and options of the games, as the program judges by them."""

from argparse import Namespace

from msgspec import UNSET

from services.catalogue import catalogue, rules_of_id
from services.cli.output import CLEAN, UNREADABLE, say, show, show_json
from services.wording import GAMES
from services.words import Words


def show_rules(options: Namespace) -> int:
    """Prints one rule, or all rules and options."""
    found = catalogue(options.lang, options.game)
    rules, listed = found.rules, found.options
    if options.id is not None:
        rules, listed = rules_of_id(options.id, options.lang), []
        if not rules:
            say(Words(f"没有规则 {options.id}", f"there is no rule {options.id}"), options.lang)
            return UNREADABLE
    if options.json:
        for answer in (*rules, *listed):
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
    for option in listed:
        values = " | ".join(str(value) for value in option.values)
        show(f"  {option.game} {option.name}  {values}  {option.text}")
    return CLEAN
