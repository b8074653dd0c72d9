"""Line games whose definition can't be understood: one line each that names key, value found and values allowed."""

from __future__ import annotations

import json
import re

import pytest
from command_line import CommandLine
from new_game import FULL, GAME, definition, write_game

from workbench.errors import DefinitionError
from workbench.game.load import find_game

SYMBOLS = "one of Crown, Ring, Ruby, Pearl, A, K, Q, J, 10, Wild, Scatter, Chest"
COMBINATIONS = "one of Wild, Crown, Ring, Ruby, Pearl, A, K, Q, J, 10, Any gem, Scatter"

# What is replaced by what in the game with every word in force, and the line after the file's name.
SPOILT = {
    'no Wild, but its table': ([('wild = "Wild"', '#wild = "Wild"'), ('\nWild = {', '\n#Wild = {'), ('exempt = [', '#exempt = [')], 'wild: the table must be there if symbols.wild names a Wild, and only then, but symbols.wild is None and the table is there'),
    'counts as no regular symbol': ([('leading_run = "own-pay"', 'leading_run = "own-pay"\ncounts_as = "Chest"')], "wild.counts_as: must be a regular symbol, but got 'Chest'"),
    'replaces a stranger': ([('replaces = ["Crown"', 'replaces = ["Clown"')], 'wild.replaces: must be a symbol of the game, ' + SYMBOLS + ", but got 'Clown'"),
    'replaces itself': ([('replaces = ["Crown"', 'replaces = ["Wild"')], "wild.replaces: must be other symbols than the Wild, but got 'Wild'"),
    'replaces a text': ([('replaces = ["Crown", "Ring", "Ruby", "Pearl", "A", "K", "Q", "J", "10"]', 'replaces = "Crown"')], 'wild.replaces: Input should be a valid array, but got "Crown"'),
    'multiplier 0': ([('multiplier = 2 ', 'multiplier = 0 ')], 'wild.multiplier: Input should be greater than or equal to 1, but got 0'),
    'multiplier huge': ([('multiplier = 2 ', 'multiplier = 99999999999999999999 ')], 'wild.multiplier: Input should be less than or equal to 1000, but got 99999999999999999999'),
    'multiplier a fraction': ([('multiplier = 2 ', 'multiplier = 1.5 ')], 'wild.multiplier: Input should be a valid integer, but got 1.5'),
    'multiplier too large together': ([('multiplier = 2 ', 'multiplier = 64 ')], 'wild.multiplier: all Wilds of a line together may multiply by at most 10^9, but got 64^5'),
    'multiplies unknown': ([('multiplies = "each"', 'multiplies = "twice"')], 'wild.multiplies: Input should be \'once\' or \'each\', but got "twice"'),
    'leading run unknown': ([('leading_run = "own-pay"', 'leading_run = "best"')], 'wild.leading_run: Input should be \'own-pay\', \'best-symbol\' or \'next-symbol\', but got "best"'),
    'leading run missing': ([('leading_run = "own-pay"\n', '\n')], 'wild.leading_run: is required, but is missing'),
    'key of wild unknown': ([('leading_run = "own-pay"\n', 'leading_run = "own-pay"\ncolour = 1\n')], 'wild.colour: is not a key of this table, but got 1'),
    'mixed named as a symbol': ([('name = "Any gem"', 'name = "Ruby"')], "mixed[0].name: must be no other combination's or symbol's, but got 'Ruby'"),
    'mixed named twice': ([('[[mixed]]\n', '[[mixed]]\nname = "Any gem"\nsymbols = ["Crown"]\npays = { 5 = 1 }\n\n[[mixed]]\n')], "mixed[1].name: must be no other combination's or symbol's, but got 'Any gem'"),
    'mixed of a stranger': ([('symbols = ["Ruby", "Pearl"]', 'symbols = ["Ruby", "Emerald"]')], 'mixed[0].symbols: must be a symbol of the game, ' + SYMBOLS + ", but got 'Emerald'"),
    'mixed with the Wild': ([('symbols = ["Ruby", "Pearl"]', 'symbols = ["Ruby", "Wild"]')], "mixed[0].symbols: must be other symbols than the Wild, but got 'Wild'"),
    'mixed of nothing': ([('symbols = ["Ruby", "Pearl"]', 'symbols = []')], 'mixed[0].symbols: Tuple should have at least 1 item after validation, not 0, but got []'),
    'mixed too long': ([('pays = { 4 = 20, 5 = 60 }', 'pays = { 4 = 20, 6 = 60 }')], 'mixed[0].pays: a line has 5 cells, but got 6'),
    'mixed pays that fall': ([('pays = { 4 = 20, 5 = 60 }', 'pays = { 4 = 60, 5 = 20 }')], 'mixed[0].pays: more symbols must not pay less, but got [60, 20]'),
    'mixed without pays': ([('pays = { 4 = 20, 5 = 60 }', 'pays = { }')], 'mixed[0].pays: Dictionary should have at least 1 item after validation, not 0, but got {}'),
    'mixed pays missing': ([('pays = { 4 = 20, 5 = 60 }', '')], 'mixed[0].pays: is required, but is missing'),
    'mixed pays a length written oddly': ([('pays = { 4 = 20, 5 = 60 }', 'pays = { 04 = 20, 4 = 60 }')], "mixed[0].pays.04: a key must be a whole number as 3 or 12, but got '04'"),
    'mixed pays for 0': ([('pays = { 4 = 20, 5 = 60 }', 'pays = { 0 = 20 }')], 'mixed[0].pays.0: Input should be greater than or equal to 1, but got 0'),
    'mixed pays too much': ([('pays = { 4 = 20, 5 = 60 }', 'pays = { 4 = 1000000001 }')], 'mixed[0].pays.4: Input should be less than or equal to 1000000000, but got 1000000001'),
    'mixed pays a fraction': ([('pays = { 4 = 20, 5 = 60 }', 'pays = { 4 = 0.5 }')], 'mixed[0].pays.4: Input should be a valid integer, but got 0.5'),
    'mixed a table': ([('[[mixed]]', '[mixed]')], 'mixed: Input should be a valid array, but got {"name": "Any gem", "symbols": ["Ruby", "Pearl"], "pays":...'),
    'key of mixed unknown': ([('name = "Any gem"', 'name = "Any gem"\nleast = 3')], 'mixed[0].least: is not a key of this table, but got 3'),
    'anywhere a stranger': ([('symbol = "Scatter"\npays', 'symbol = "Bell"\npays')], 'anywhere[0].symbol: must be a symbol of the game, ' + SYMBOLS + ", but got 'Bell'"),
    'anywhere too many': ([('pays = { 1 = 1, 2 = 2 }', 'pays = { 1 = 1, 6 = 2 }')], 'anywhere[0].pays: a line has 5 cells, but got 6'),
    'anywhere pays that fall': ([('pays = { 1 = 1, 2 = 2 }', 'pays = { 1 = 3, 2 = 2 }')], 'anywhere[0].pays: more symbols must not pay less, but got [3, 2]'),
    'anywhere twice': ([('[[anywhere]]\n', '[[anywhere]]\nsymbol = "Scatter"\npays = { 1 = 1 }\n\n[[anywhere]]\n')], "anywhere: a symbol must be given once, but 'Scatter' is given 2 times"),
    'anywhere four': ([('[[anywhere]]\n', '[[anywhere]]\nsymbol = "A"\npays = { 1 = 1 }\n\n[[anywhere]]\nsymbol = "K"\npays = { 1 = 1 }\n\n[[anywhere]]\nsymbol = "Q"\npays = { 1 = 1 }\n\n[[anywhere]]\n')], 'anywhere: Tuple should have at most 3 items after validation, not 4, but got [{"symbol": "A", "pays": {"1": 1}}, {"symbol": "K", "pays...'),
    'scatter a stranger': ([('symbol = "Scatter"\nreels = [0, 1, 2, 3, 4]\n', 'symbol = "Bell"\nreels = [0, 1, 2, 3, 4]\n')], 'features.scatter.symbol: must be a symbol of the game, ' + SYMBOLS + ", but got 'Bell'"),
    'scatter on a reel twice': ([('symbol = "Scatter"\nreels = [0, 1, 2, 3, 4]\n', 'symbol = "Scatter"\nreels = [0, 1, 1, 3, 4]\n')], 'features.scatter.reels: must be different reels below 5, but got [0, 1, 1, 3, 4]'),
    "scatter on a reel there isn't": ([('symbol = "Scatter"\nreels = [0, 1, 2, 3, 4]\n', 'symbol = "Scatter"\nreels = [0, 1, 2, 3, 5]\n')], 'features.scatter.reels: must be different reels below 5, but got [0, 1, 2, 3, 5]'),
    'scatter on a reel beyond any game': ([('symbol = "Scatter"\nreels = [0, 1, 2, 3, 4]\n', 'symbol = "Scatter"\nreels = [0, 1, 2, 3, 8]\n')], 'features[0].scatter_pays.reels[4]: Input should be less than or equal to 7, but got 8'),
    'scatter on no reel': ([('symbol = "Scatter"\nreels = [0, 1, 2, 3, 4]\n', 'symbol = "Scatter"\nreels = []\n')], 'features[0].scatter_pays.reels: Tuple should have at least 1 item after validation, not 0, but got []'),
    'scatter more than cells': ([('pays = { 3 = 3, 4 = 20, 5 = 100 }', 'pays = { 3 = 3, 16 = 20 }')], 'features.scatter.pays: at most 15 cells are in sight on these reels, but got 16'),
    'scatter more than any cells': ([('pays = { 3 = 3, 4 = 20, 5 = 100 }', 'pays = { 3 = 3, 65 = 20 }')], 'features[0].scatter_pays.pays.65: Input should be less than or equal to 64, but got 65'),
    'scatter pays negative': ([('pays = { 3 = 3, 4 = 20, 5 = 100 }', 'pays = { 3 = -3 }')], 'features[0].scatter_pays.pays.3: Input should be greater than or equal to 0, but got -3'),
    'scatter pays too much': ([('pays = { 3 = 3, 4 = 20, 5 = 100 }', 'pays = { 3 = 1e10 }')], 'features[0].scatter_pays.pays.3: Input should be less than or equal to 1000000000, but got 10000000000.0'),
    'scatter pays infinitely': ([('pays = { 3 = 3, 4 = 20, 5 = 100 }', 'pays = { 3 = inf }')], 'features[0].scatter_pays.pays.3: Input should be less than or equal to 1000000000, but got Infinity'),
    'scatter pays a text': ([('pays = { 3 = 3, 4 = 20, 5 = 100 }', 'pays = { 3 = "3" }')], 'features[0].scatter_pays.pays.3: Input should be a valid number, but got "3"'),
    'scatter without pays': ([('pays = { 3 = 3, 4 = 20, 5 = 100 }', 'pays = { }')], 'features[0].scatter_pays.pays: Dictionary should have at least 1 item after validation, not 0, but got {}'),
    'scatter per nothing known': ([('per = "total-bet"               # what the pays', 'per = "bet"  #')], 'features[0].scatter_pays.per: Input should be \'total-bet\' or \'line-bet\', but got "bet"'),
    'scatter per missing': ([('per = "total-bet"               # what the pays', '#')], 'features[0].scatter_pays.per: is required, but is missing'),
    'beyond unknown': ([('beyond = "nothing"', 'beyond = "most"')], 'features[0].scatter_pays.beyond: Input should be \'as-most\' or \'nothing\', but got "most"'),
    'key of scatter unknown': ([('beyond = "nothing"', 'beyond = "nothing"\nleast = 3')], 'features[0].scatter_pays.least: is not a key of this table, but got 3'),
    'name with a capital': ([('name = "scatter" ', 'name = "Scatter" ')], 'features[0].scatter_pays.name: String should match pattern \'^[a-z][a-z0-9_.]*$\', but got "Scatter"'),
    'name given twice': ([('name = "royal"', 'name = "chest"')], "features: a name must be given once, but 'chest' is given 2 times"),
    'kind unknown': ([('kind = "scatter_pays"', 'kind = "scatter"')], 'features[0]: Input tag \'scatter\' found using \'kind\' does not match any of the expected tags: \'ladder\', \'hold_and_spin\', \'free_spins\', \'wheel\', \'banked_keys\', \'modifier_trigger\', \'money_respins\', \'scatter_pays\', \'free_games\', \'bonus\', but got {"kind": "scatter", "name": "scatter", "symbol": "Scatter...'),
    'free games by nothing': ([('scatter = { symbol', '#scatter = { symbol'), ('lines = { spins', '#lines = { spins')], "features[1].free_games: free games must be awarded by 'scatter', by 'lines' or by both, but have neither"),
    'free games twice': ([('[[features]]\nkind = "free_games"\n', '[[features]]\nkind = "free_games"\nname = "more"\nreels = "base"\nlines = { spins = { A = { 5 = 1 } } }\n\n[[features]]\nkind = "free_games"\n')], 'features: at most one of kind free_games, but got 2'),
    'free games of a stranger': ([('scatter = { symbol = "Scatter"', 'scatter = { symbol = "Bell"')], 'features.free_games.scatter.symbol: must be a symbol of the game, ' + SYMBOLS + ", but got 'Bell'"),
    'free games on a reel twice': ([('scatter = { symbol = "Scatter", reels = [0, 1,', 'scatter = { symbol = "Scatter", reels = [0, 0,')], 'features.free_games.scatter.reels: must be different reels below 5, but got [0, 0, 2, 3, 4]'),
    'free games for more than cells': ([('spins = { 3 = 15 },', 'spins = { 16 = 15 },')], 'features.free_games.scatter.spins: at most 15 cells are in sight on these reels, but got 16'),
    'retriggers for more than cells': ([('spins_in_free_games = { 3 = 15 }', 'spins_in_free_games = { 17 = 15 }')], 'features.free_games.scatter.spins_in_free_games: at most 15 cells are in sight on these reels, but got 17'),
    'free games too many': ([('spins = { 3 = 15 },', 'spins = { 3 = 1001 },')], 'features[1].free_games.scatter.spins.3: Input should be less than or equal to 1000, but got 1001'),
    'free games a fraction': ([('spins = { 3 = 15 },', 'spins = { 3 = 1.5 },')], 'features[1].free_games.scatter.spins.3: Input should be a valid integer, but got 1.5'),
    'free games multiplier 0': ([('multiplier = 3 ', 'multiplier = 0 ')], 'features[1].free_games.multiplier: Input should be greater than or equal to 1, but got 0'),
    'scatter multiplier 0': ([('scatter_multiplier = 1', 'scatter_multiplier = 0')], 'features[1].free_games.scatter_multiplier: Input should be greater than or equal to 1, but got 0'),
    'reels that are a path': ([('reels = "base"                  #', 'reels = "../base" #')], 'features[1].free_games.reels: String should match pattern \'^[a-z][a-z0-9_]*$\', but got "../base"'),
    "exempt a combination there isn't": ([('exempt = [{ symbol = "Wild"', 'exempt = [{ symbol = "Bell"')], 'features.free_games.exempt[0]: must name a combination that pays, ' + COMBINATIONS + ", but got 'Bell'"),
    "exempt a length there isn't": ([('count = 5, multiplier = 1', 'count = 2, multiplier = 1')], "features.free_games.exempt[0]: must be a length that 'Wild' pays for, one of [3, 4, 5], but got 2"),
    'exempt a length beyond': ([('count = 5, multiplier = 1', 'count = 9, multiplier = 1')], 'features[1].free_games.exempt[0].count: Input should be less than or equal to 8, but got 9'),
    'exempt a length in quotes': ([('count = 5, multiplier = 1', 'count = "5", multiplier = 1')], 'features[1].free_games.exempt[0].count: Input should be a valid integer, but got "5"'),
    'exempt by 0': ([('count = 5, multiplier = 1', 'count = 5, multiplier = 0')], 'features[1].free_games.exempt[0].multiplier: Input should be greater than or equal to 1, but got 0'),
    'exempt twice': ([('exempt = [{', 'exempt = [{ symbol = "Wild", count = 5, multiplier = 2 }, {')], "features.free_games.exempt: a combination must be given once, but got 5 'Wild' again"),
    "lines award a combination there isn't": ([('lines = { spins = { Crown = { 5 = 10 } }', 'lines = { spins = { Clown = { 5 = 10 } }')], 'features.free_games.lines.spins: must name a combination that pays, ' + COMBINATIONS + ", but got 'Clown'"),
    "lines award a length there isn't": ([('lines = { spins = { Crown = { 5 = 10 } }', 'lines = { spins = { Crown = { 2 = 10 } }')], "features.free_games.lines.spins: must be a length that 'Crown' pays for, one of [3, 4, 5], but got 2"),
    "lines award in free games what there isn't": ([('spins_in_free_games = { Crown', 'spins_in_free_games = { "Any gems"')], 'features.free_games.lines.spins_in_free_games: must name a combination that pays, ' + COMBINATIONS + ", but got 'Any gems'"),
    'bonus by nothing': ([('in_sight = { symbol = "Chest", reels = [1, 2, 3], least = 3 }', '')], "features[2].bonus: a bonus must have one of the triggers 'line' and 'in_sight', but has neither"),
    'bonus by both': ([('in_sight = { symbol = "Chest", reels = [1, 2, 3], least = 3 }', 'in_sight = { symbol = "Chest", reels = [1, 2, 3], least = 3 }\nline = { symbol = "Crown", least = 3 }')], "features[2].bonus: a bonus must have one of the triggers 'line' and 'in_sight', but has both"),
    'bonus of a stranger in sight': ([('in_sight = { symbol = "Chest"', 'in_sight = { symbol = "Bell"')], 'features.chest.in_sight.symbol: must be a symbol of the game, ' + SYMBOLS + ", but got 'Bell'"),
    "bonus on a reel there isn't": ([('reels = [1, 2, 3], least', 'reels = [1, 2, 7], least')], 'features.chest.in_sight.reels: must be different reels below 5, but got [1, 2, 7]'),
    'bonus of more than cells': ([('reels = [1, 2, 3], least = 3', 'reels = [1, 2, 3], least = 10')], 'features.chest.in_sight.least: at most 9 cells are in sight on these reels, but got 10'),
    'bonus of none': ([('reels = [1, 2, 3], least = 3', 'reels = [1, 2, 3], least = 0')], 'features[2].bonus.in_sight.least: Input should be greater than or equal to 1, but got 0'),
    'bonus by a line of a stranger': ([('line = { symbol = "Crown"', 'line = { symbol = "Clown"')], 'features.royal.line.symbol: must be a symbol of the game, ' + SYMBOLS + ", but got 'Clown'"),
    'bonus by a line of Wilds': ([('line = { symbol = "Crown"', 'line = { symbol = "Wild"')], "features.royal.line.symbol: must be another symbol than the Wild, but got 'Wild'"),
    'bonus by a line too long': ([('line = { symbol = "Crown", least = 3', 'line = { symbol = "Crown", least = 6')], 'features.royal.line.least: a line has 5 cells, but got 6'),
    'bonus without such a wheel': ([('prizes = "chest.prizes"         #', 'prizes = "chest" #')], "features.chest.prizes: must name a feature of kind wheel, one of ['chest.prizes', 'chest.draws'], but got 'chest'"),
    'bonus draws without such a wheel': ([('draws = "chest.draws"', 'draws = "royal"')], "features.chest.draws: must name a feature of kind wheel, one of ['chest.prizes', 'chest.draws'], but got 'royal'"),
    "prizes that aren't numbers": ([('values = ["5", "10", "20", "50"]', 'values = ["5", "mini"]')], "features.chest.prizes.values: must be numbers from 0 to 1000000 in shortest decimal form, but got 'mini'"),
    'prizes not in shortest form': ([('values = ["5", "10", "20", "50"]', 'values = ["5", "1.50"]')], "features.chest.prizes.values: must be numbers from 0 to 1000000 in shortest decimal form, but got '1.50'"),
    'prizes too large': ([('values = ["5", "10", "20", "50"]', 'values = ["5", "1000001"]')], "features.chest.prizes.values: must be numbers from 0 to 1000000 in shortest decimal form, but got '1000001'"),
    'prizes that are numbers': ([('values = ["5", "10", "20", "50"]', 'values = [5, 10]')], 'features[3].wheel.values[0]: Input should be a valid string, but got 5'),
    "draws that aren't whole": ([('values = ["1", "2", "3"]', 'values = ["1", "1.5"]')], "features.chest.draws.values: must be whole numbers from 0 to 1000, but got '1.5'"),
    'draws too many': ([('values = ["1", "2", "3"]', 'values = ["1", "1001"]')], "features.chest.draws.values: must be whole numbers from 0 to 1000, but got '1001'"),
    'in free games unknown': ([('in_free_games = "never"', 'in_free_games = "sometimes"')], 'features[2].bonus.in_free_games: Input should be \'same\', \'multiplied\' or \'never\', but got "sometimes"'),
    'too much in sight': ([('name = "royal"\nline = { symbol = "Crown", least = 3 }', 'name = "royal"\nin_sight = { symbol = "Crown", reels = [0], least = 1 }\nprizes = "chest.prizes"\nper = "line-bet"\n\n[[features]]\nkind = "bonus"\nname = "imperial"\nin_sight = { symbol = "Crown", reels = [0, 1], least = 1 }')], "features: at most 3 different symbols or sets of reels may be counted in sight, but got 'Scatter' on [0, 1, 2, 3, 4], 'Chest' on [1, 2, 3], 'Crown' on [0], 'Crown' on [0, 1]"),
    'special symbol with pays': ([('Crown = { 3 = 25', 'Chest = { 3 = 25 }\nCrown = { 3 = 25')], "paytable.Chest: must be a regular symbol or the Wild, but got 'Chest'"),
    'run longer than the line': ([('Crown = { 3 = 25', 'Crown = { 6 = 2500, 3 = 25')], 'paytable.Crown: a run is at most 5 long, but got 6'),
    "a run's length written oddly": ([('Crown = { 3 = 25', 'Crown = { 03 = 25')], "paytable.Crown.03: a key must be a whole number as 3 or 12, but got '03'"),
    'symbol with a line break': ([('special = ["Scatter", "Chest"]', 'special = ["Scatter", "Chest", "Two\\nlines"]')], "symbols.special[2]: must be a text of one line without blanks at its ends, but got 'Two\\nlines'"),
    'symbol with an escape': ([('special = ["Scatter", "Chest"]', 'special = ["Scatter", "Chest", "\\u001b[31m"]')], "symbols.special[2]: must be a text of one line without blanks at its ends, but got '\\x1b[31m'"),
    'symbol with a blank before it': ([('special = ["Scatter", "Chest"]', 'special = ["Scatter", "Chest", " Chest"]')], "symbols.special[2]: must be a text of one line without blanks at its ends, but got ' Chest'"),
    'symbol without a name': ([('special = ["Scatter", "Chest"]', 'special = ["Scatter", "Chest", ""]')], 'symbols.special[2]: String should have at least 1 character, but got ""'),
    'symbol with a long name': ([('special = ["Scatter", "Chest"]', 'special = ["Scatter", "Chest", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]')], 'symbols.special[2]: String should have at most 40 characters, but got "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"'),
    'title of two lines': ([('title = "My Game"', 'title = "My\\nGame"')], "title: must be a text of one line without blanks at its ends, but got 'My\\nGame'"),
    'id that is a path': ([('game = "my-game"', 'game = "../my-game"')], 'game: String should match pattern \'^[a-z0-9][a-z0-9-]{0,59}$\', but got "../my-game"'),
    "strip rule on a set there isn't": ([('kind = "length"\nreels = "base"', 'kind = "length"\nreels = "free"')], "strip_rules[1].reels: must be one of base, but got 'free'"),
    'reading that points nowhere': ([('features.free_games.reels"', 'features.free_games.rails"')], "readings[0].settings: must name a setting, but got 'features.free_games.rails'"),
}  # fmt: skip


def edited(edits, text=FULL):
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize("case", SPOILT)
def test_spoilt_definition_gets_one_line(case):
    edits, line = SPOILT[case]
    with pytest.raises(DefinitionError) as caught:
        definition(edited(edits))
    assert str(caught.value) == f"{GAME}.toml: {line}"


@pytest.fixture
def workbench(tmp_path, monkeypatch, capsysbinary) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsysbinary)


@pytest.mark.parametrize(
    "case", ["mixed of a stranger", "exempt twice", "bonus by both", "symbol with an escape"]
)
def test_the_line_is_that_of_the_command(workbench, tmp_path, case):
    edits, line = SPOILT[case]
    write_game(tmp_path, edited(edits))
    shown = workbench("evaluate", "starter.json").error_line
    assert shown == f"workbench: error: {GAME}.toml: {line}"


def test_all_that_is_wrong_comes_at_once(workbench, tmp_path):
    cases = ("mixed with the Wild", "anywhere too many", "scatter on a reel twice", "exempt twice")
    write_game(tmp_path, edited([edit for case in cases for edit in SPOILT[case][0]]))
    done = workbench("check", f"{GAME}.toml", "--json")
    assert done.code == 1
    assert json.loads(done.out)["wrong"] == [SPOILT[case][1] for case in cases]


def test_a_wild_without_its_table():
    text = FULL[: FULL.index("\n[wild]\n")] + "\n" + FULL[FULL.index("\n[[mixed]]\n") :]
    law = "the table must be there if symbols.wild names a Wild, and only then"
    with pytest.raises(
        DefinitionError, match=rf"wild: {law}, but symbols.wild is 'Wild' and the table is missing"
    ):
        definition(text)


OTHER_ROUND = {
    "scatter_pays": (
        'kind = "scatter_pays"\nname = "x"\nsymbol = "Scatter"\nreels = [0]\npays = { 1 = 1 }\nper = "total-bet"',
        "features.x",
    ),
    "free_games": (
        'kind = "free_games"\nname = "x"\nreels = "base"\nlines = { spins = { Lion = { 5 = 1 } } }',
        "features.x",
    ),
    "bonus": (
        'kind = "bonus"\nname = "x"\nline = { symbol = "Lion", least = 5 }\n'
        'prizes = "free_spins.keys"\nper = "total-bet"',
        "features.x",
    ),
}
RULES = {
    'leading_run = "best-symbol"': ('leading_run = "next-symbol"', "wild.leading_run = 'next-symbol'"),
    'counts_as = "Lion"': ('counts_as = "Lion"\nmultiplier = 2', "wild.multiplier"),
    'counts_as = "Lion" ': ('counts_as = "Lion"\nreplaces = ["A"] ', "wild.replaces"),
    "[wild]": ('[[mixed]]\nname = "Any"\nsymbols = ["A"]\npays = { 5 = 1 }\n\n[wild]', "mixed"),
    "[wild] ": ('[[anywhere]]\nsymbol = "A"\npays = { 5 = 1 }\n\n[wild] ', "anywhere"),
}


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        *(
            ("[[features]]\n", f"[[features]]\n{x}\n\n[[features]]\n", place)
            for x, place in OTHER_ROUND.values()
        ),
        *((old, new, place) for old, (new, place) in RULES.items()),
    ],
)
def test_line_features_do_not_go_with_rounds_of_another_kind(old, new, place):
    text = find_game("codex-of-fortune").read_text(encoding="utf-8")
    law = "doesn't go with features of another kind of round, but the game has ['re_spins', 'free_spins', 'keys']"
    with pytest.raises(DefinitionError) as caught:
        definition(edited([(old, new)], text))
    assert str(caught.value) == f"{GAME}.toml: {place}: {law}"


def test_in_a_game_of_another_round_a_wild_line_is_won_by_a_regular_symbol():
    text = find_game("codex-of-fortune").read_text(encoding="utf-8")
    with pytest.raises(
        DefinitionError, match=r"wild.counts_as: must be a regular symbol in a game with 're_spins'"
    ):
        definition(edited([('counts_as = "Lion"', "")], text))


@pytest.mark.parametrize("name", ["<script>", "=1+1", "../x", "a b", "Ä", "''", "x" * 40])
def test_harmless_names_stay_as_they_are(name):
    text = FULL.replace("Chest", name)
    assert definition(text).symbols.special == ("Scatter", name)


@pytest.mark.parametrize(
    ("table", "missing"), [("bet", "bet.coins"), ("grid", "grid.rows"), ("paytable", "paytable")]
)
def test_what_is_missing_is_named(table, missing):
    text = re.sub(rf"(?ms)^\[{table}\]\n.*?(?=^\[)", "" if missing == table else f"[{table}]\n", FULL)
    with pytest.raises(DefinitionError) as caught:
        definition(text)
    assert str(caught.value) == f"{GAME}.toml: {missing}: is required, but is missing"
