"""A file that was changed is refused, or the change is one that no guarantee rests on."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from privboost.errors import ModelFileError, VerificationError
from privboost.exchange import ModelRecord, dumps, loads
from privboost.privacy.verify import verify_statement

Document = dict[str, Any]

# Free text in the statement: no number or claim rests on it.
PROSE = ("notes", "assumed_public", "version")


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Walk to every object, list and value below the top."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from paths(item, (*path, key))


def at(document: Document, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


def mutations(value: Any) -> list[Any]:
    """Return other values for a place: of the same type, of other types, and of the same shape with an item changed."""
    other = [None, "x", -1, 0, 1.5, True, [], {}, [None], 10**30, 1e308]
    if isinstance(value, bool):
        return [not value, *other]
    if isinstance(value, int):
        return [value + 1, value - 1, value * 2, float(value), *other]
    if isinstance(value, float):
        return [value * 2, value / 2, -value, value + 1.0, int(value), *other]
    if isinstance(value, str):
        return [value + "x", value.replace("1", "2"), value[:-1], "", *other]
    if isinstance(value, list):
        return [value[:-1], value[1:], [*value, *value[-1:]], value[::-1], *other]
    if isinstance(value, dict):
        return [{**value, "extra": 1}, *({k: v for k, v in value.items() if k != key} for key in value), *other]
    return other


def claim(record: ModelRecord) -> Document:
    silent = (*PROSE, "secure", "releases") if record.statement.epsilon is None else PROSE  # there is no claim
    return {name: value for name, value in record.statement.to_dict().items() if name not in silent}


def check_harmless(record: ModelRecord, original: ModelRecord) -> None:
    """A file that was accepted makes the same claim, on the same ledger, and that ledger still supports it."""
    assert claim(record) == claim(original)
    for name in ("privacy", "relation", "n_bins"):
        assert record.parameters[name] == original.parameters[name]
    left_to_plan = ("auto",) if record.plan.get("max_depth") == original.depth else ()
    assert record.parameters["max_depth"] in (original.depth, *left_to_plan)
    assert record.learner == original.learner
    assert [tree.depth for tree in record.ensemble.trees] == [tree.depth for tree in original.ensemble.trees]
    if record.statement.epsilon is not None:
        assert record.parameters["epsilon"] == original.parameters["epsilon"]
        if record.statement.releases != original.statement.releases:
            assert Fraction(verify_statement(record.statement).spent) <= Fraction(original.statement.epsilon)
        assert all((tree.splits.attribute >= 0).all() for tree in record.ensemble.trees)


def attempt(text: str) -> ModelRecord | None:
    try:
        return loads(text)
    except ModelFileError as error:
        if "\n" in str(error):
            raise AssertionError("an error must be one line") from error
        return None


@pytest.mark.parametrize(
    "name",
    ["bdpe-small", "forest-small", "tree", "exact-small", "logistic", "gamma-gaussian", "softmax", "squared-exact"],
)
def test_a_change_of_any_single_place_is_refused_or_harmless(name: str, all_records: dict[str, ModelRecord]) -> None:
    original = all_records[name]
    if original.statement.epsilon is not None:
        verify_statement(original.statement)
    text = dumps(original)
    document = json.loads(text)
    accepted, refused = set(), 0
    for path in list(paths(document)):
        for value in mutations(at(document, path)):
            changed = json.loads(text)
            at(changed, path[:-1])[path[-1]] = value
            if type(value) is type(at(document, path)) and value == at(document, path):  # such as 0.0 and -0.0
                continue
            record = attempt(json.dumps(changed))
            if record is None:
                refused += 1
                continue
            check_harmless(record, original)
            accepted.add(path)
    assert refused > 1000
    # Nothing of the statement may change but its prose, and nothing of the plan that the trees or the ledger tell.
    silent = {*PROSE, "secure", "releases"} if original.statement.epsilon is None else set(PROSE)
    assert {path[1] for path in accepted if path[0] == "statement"} <= silent
    assert not {path for path in accepted if path[0] in ("kind", "format", "learner", "n_bins")}
    assert not {path for path in accepted if path[0] == "plan" and path[1:2] in (("epsilon",), ("alphas",))}
    if original.refinement is not None:
        check_new_fields({path for path in accepted if path[0] in ("refinement", "ensemble")})


def check_new_fields(accepted: set[tuple[Any, ...]]) -> None:
    """Edges, base and leaves are released numbers: one may be changed, but none added, lost or of another kind."""
    assert not {path for path in accepted if path[:2] in (("ensemble", "combination"), ("ensemble", "alpha"))}
    assert not {path for path in accepted if path[:2] == ("refinement", "orders") and len(path) > 3}


def drop_last_tree(document: Document) -> None:
    """Keep the ledger, lose a tree."""
    for name in ("weights", "outputs", "trees"):
        document["ensemble"][name].pop()


def repeat_last_tree(document: Document) -> None:
    """Add a tree for which nothing was charged."""
    for name in ("weights", "outputs", "trees"):
        document["ensemble"][name].append(document["ensemble"][name][-1])
    document["parameters"]["n_trees"] = document["plan"]["settings"]["n_trees"] = len(document["ensemble"]["trees"])
    document["plan"]["alphas"].append(document["plan"]["alphas"][-1])


def rewrite_totals(document: Document) -> None:
    """Make the ledger's sums right again, as a careful forger would."""
    statement = document["statement"]
    total = Fraction(0)
    for release in statement["releases"]:
        epsilon = release["distance"] * release["sensitivity"] / Fraction(release["scale"])
        cost = epsilon if release["composition"] == "parallel" else epsilon * release["count"]
        total += cost
        release["epsilon"], release["epsilon_exact"] = float(epsilon), f"{epsilon.numerator}/{epsilon.denominator}"
        release["cost"], release["cost_exact"] = float(cost), f"{cost.numerator}/{cost.denominator}"
    statement["total"], statement["total_exact"] = float(total), f"{total.numerator}/{total.denominator}"


def claim_half(document: Document) -> None:
    """Halve the stated epsilon everywhere but in the ledger."""
    document["statement"]["epsilon"] /= 2
    document["statement"]["summary"] = document["statement"]["summary"].replace("0.7", "0.35")
    document["parameters"]["epsilon"] /= 2
    document["plan"]["epsilon"] /= 2


def drop_half_of_the_ledger(document: Document) -> None:
    """Halve the claim and list only the releases that fit into it."""
    claim_half(document)
    releases = document["statement"]["releases"]
    document["statement"]["releases"] = releases[: len(releases) // 2]
    rewrite_totals(document)


def halve_the_sensitivities(document: Document) -> None:
    """Halve the claim, and the change that one row is said to make."""
    claim_half(document)
    for release in document["statement"]["releases"]:
        release["sensitivity"] //= 2
    rewrite_totals(document)


def halve_the_leaves_sensitivities(document: Document) -> None:
    """Understate the leaves only."""
    for release in document["statement"]["releases"]:
        if release["label"].endswith("/leaves"):
            release["sensitivity"] //= 2
    rewrite_totals(document)


def claim_that_levels_are_one_release(document: Document) -> None:
    """Merge a level's releases into one of a smaller count."""
    document["statement"]["releases"][1]["count"] = 1
    rewrite_totals(document)


def claim_replace_one(document: Document) -> None:
    """Claim the stronger relation for noise that was planned for the weaker one."""
    document["statement"]["unit"]["relation"] = document["parameters"]["relation"] = "replace-one"


def swap_two_releases(document: Document) -> None:
    """List the releases in another order."""
    releases = document["statement"]["releases"]
    releases[0], releases[1] = releases[1], releases[0]


def null_test(document: Document) -> None:
    """Say that a node was not split, which depends on exact counts."""
    document["ensemble"]["trees"][0]["attribute"][0] = -1


def claim_exact_leverage(document: Document) -> None:
    """A private model whose coefficients no release covers."""
    document["parameters"]["leverage"] = "exact"


def claim_privacy_of_a_simulation(document: Document) -> None:
    """Turn the seeded noise of a file into secret noise, in one field."""
    document["statement"]["secure"] = False


def unknown_test(document: Document) -> None:
    """Name a bin that the domain does not have."""
    document["ensemble"]["trees"][0]["first"][0] = 200


def narrower_domain(document: Document) -> None:
    """Take an attribute away, on which trees test."""
    document["domain"]["attributes"] = document["domain"]["attributes"][:1]
    document["feature_names"] = document["feature_names"][:1]


@pytest.mark.parametrize(
    "forge",
    [
        drop_last_tree,
        repeat_last_tree,
        claim_half,
        drop_half_of_the_ledger,
        halve_the_sensitivities,
        halve_the_leaves_sensitivities,
        claim_that_levels_are_one_release,
        claim_replace_one,
        swap_two_releases,
        null_test,
        claim_exact_leverage,
        claim_privacy_of_a_simulation,
        unknown_test,
        narrower_domain,
    ],
)
def test_a_forged_file_fails_verification(forge: Callable[[Document], None], records: dict[str, ModelRecord]) -> None:
    document = json.loads(dumps(records["bdpe"]))
    untouched = copy.deepcopy(document)
    forge(document)
    assert document != untouched
    with pytest.raises(ModelFileError) as caught:
        loads(json.dumps(document))
    assert "\n" not in str(caught.value)
    # A domain without the attribute makes the tree malformed; all else contradicts the claim.
    assert isinstance(caught.value, VerificationError) or forge is narrower_domain


@pytest.mark.parametrize("name", ["forest", "forest-selection", "forest-shared", "tree", "tree-three", "bdpe-paper"])
def test_every_learners_ledger_is_held_against_its_trees(name: str, records: dict[str, ModelRecord]) -> None:
    text = dumps(records[name])
    for forge in (halve_the_leaves_sensitivities, lambda d: d["statement"]["releases"].pop()):
        document = json.loads(text)
        forge(document)
        rewrite_totals(document)
        with pytest.raises(VerificationError):
            loads(json.dumps(document))


def test_totals_are_rewritten_as_the_library_writes_them(records: dict[str, ModelRecord]) -> None:
    """Otherwise the forgeries above would be refused for a slip of theirs."""
    for name in ("bdpe", "forest-selection", "tree-three", "bdpe-paper"):
        document = json.loads(dumps(records[name]))
        untouched = copy.deepcopy(document)
        rewrite_totals(document)
        assert document == untouched
