"""The cost of a search in a statement: checked, verified, written and read; nobody can state less than the parts."""

from __future__ import annotations

import copy
from dataclasses import replace
from fractions import Fraction

import pytest

from privboost.errors import ModelFileError, ParameterError, VerificationError
from privboost.privacy import Event, PrivacyStatement, PrivacyUnit, calibrate_gaussian, gaussian_scale, verify_statement
from privboost.privacy.search_cost import SearchCost
from privboost.privacy.tries import TriesLaw, rho_within

LAW = TriesLaw(Fraction(0), Fraction(1, 64))
PURE = SearchCost(LAW, 0.25, try_epsilon=0.125)
RHO = rho_within(LAW, 0.25, 1e-7)
MIXED = SearchCost(LAW, 0.25, 1e-7, try_rho=RHO)


def pure_statement(**changes):
    leaves = Event("tree 1/leaf", "laplace", 98304, 131072.0, 1, 4, "parallel", 2)
    fields = {"epsilon": 1.0, "unit": PrivacyUnit(), "secure": True, "private": True, "releases": (leaves,)}
    return PrivacyStatement(**{**fields, "search": PURE, **changes})


def gaussian_statement(**changes):
    (multiplier,) = calibrate_gaussian(0.75, 9e-7, [1.0])
    leaves = Event("tree 1/leaf", "gaussian", 65536, gaussian_scale(1, 65536, multiplier), 1, 4, "parallel", 2)
    fields = {"epsilon": 1.0, "unit": PrivacyUnit(), "secure": True, "private": True, "releases": (leaves,)}
    return PrivacyStatement(**{**fields, "delta": 1e-6, "search": MIXED, **changes})


class TestCost:
    def test_the_pure_cost_is_two_and_eta_times_that_of_a_try(self):
        assert PURE.total == Fraction(1, 4)
        with pytest.raises(ParameterError, match="at least what the search costs"):
            SearchCost(TriesLaw(Fraction(1, 2**20), LAW.gamma), 0.25, try_epsilon=0.125)

    def test_the_cost_with_a_delta_is_that_of_the_curve(self):
        assert MIXED.total is None
        with pytest.raises(ParameterError, match="at least what the search costs"):
            replace(MIXED, try_rho=1.001 * RHO)
        with pytest.raises(ParameterError, match="at least what the search costs"):
            replace(MIXED, law=TriesLaw(Fraction(1, 100), LAW.gamma))

    @pytest.mark.parametrize(
        "fields",
        [
            {"try_epsilon": None},
            {"try_epsilon": 0.0},
            {"try_rho": 1.0},
            {"epsilon": 0.0},
            {"epsilon": 1},
            {"delta": 1.0},
            {"law": None},
        ],
        ids=str,
    )
    def test_fields_out_of_range_are_refused(self, fields):
        with pytest.raises(ParameterError):
            replace(PURE, **fields)


class TestStatement:
    def test_the_search_is_a_part_of_the_whole(self):
        statement = pure_statement()
        assert statement.fit_epsilon == 0.75
        assert statement.total == 1
        assert statement.spent == 1.0
        assert statement.budget_split() == {"search": 0.25, "leaf": 0.75}
        assert "All releases and the search together cost ε = 1 of 1" in str(statement)
        assert "secret random number of tries" in str(statement)

    def test_so_it_is_with_a_delta(self):
        statement = gaussian_statement()
        assert statement.fit_epsilon == 0.75
        assert statement.fit_delta == pytest.approx(9e-7)
        assert statement.total is None
        assert 0.999 < statement.spent <= 1.0
        assert sum(statement.budget_split().values()) == pytest.approx(1.0)

    @pytest.mark.parametrize("make", [pure_statement, gaussian_statement])
    def test_a_whole_that_is_less_than_its_parts_is_refused(self, make):
        with pytest.raises(ParameterError, match="epsilon"):
            make(epsilon=0.9)
        with pytest.raises(ParameterError, match="search"):
            make(epsilon=0.25)
        assert make(epsilon=1.1).private

    def test_the_delta_of_a_search_is_a_part_of_the_whole(self):
        with pytest.raises(ParameterError, match="epsilon"):
            gaussian_statement(delta=9e-7)
        with pytest.raises(ParameterError, match="search"):
            gaussian_statement(delta=0.5e-7)

    def test_without_a_guarantee_there_is_no_search(self):
        exact = Event("tree 1/leaf", "none", 65536, 0.0, 1, 4, "parallel", 2)
        with pytest.raises(ParameterError, match="search"):
            pure_statement(epsilon=None, private=False, releases=(exact,))


class TestVerify:
    def test_the_total_is_added_up_from_its_parts(self):
        report = verify_statement(pure_statement())
        assert report.total == 1
        assert report.opendp_total == pytest.approx(1.0)
        assert report.search_epsilon == report.to_dict()["search_epsilon"] == 0.25
        assert "and a search of ε = 0.25" in report.summary()

    def test_so_it_is_with_a_delta(self):
        report = verify_statement(gaussian_statement())
        assert 0.999 < report.spent <= 1.0
        assert report.opendp_total == pytest.approx(1.0, rel=1e-3)
        assert report.second_total == pytest.approx(1.0, rel=1e-2)

    @pytest.mark.parametrize("make", [pure_statement, gaussian_statement])
    def test_a_search_that_costs_more_than_it_says_is_found(self, make):
        statement = make()
        search = copy.copy(statement.search)
        object.__setattr__(search, "law", TriesLaw(Fraction(1), LAW.gamma))  # past the check of the constructor
        object.__setattr__(statement, "search", search)
        with pytest.raises(VerificationError, match="search costs more"):
            verify_statement(statement)

    def test_parts_that_exceed_the_whole_are_found(self):
        statement = pure_statement()
        object.__setattr__(statement, "epsilon", 0.9)
        with pytest.raises(VerificationError):
            verify_statement(statement)


class TestWritten:
    @pytest.mark.parametrize("make", [pure_statement, gaussian_statement])
    def test_reading_gives_the_same_statement(self, make):
        statement = make()
        document = statement.to_dict()
        assert document["format"] == 2
        assert PrivacyStatement.from_dict(document) == statement

    def test_a_statement_without_a_search_is_in_the_old_format(self):
        document = pure_statement(search=None).to_dict()
        assert document["format"] == 1
        assert "search" not in document

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("eta", "-1/2"),
            ("eta", "1/1"),
            ("gamma", "1/32"),
            ("epsilon", 0.2),
            ("try_epsilon", 0.25),
            ("try_epsilon", 0.0625),
            ("total_exact", "1/8"),
        ],
    )
    def test_a_changed_field_is_found(self, name, value):
        document = pure_statement().to_dict()
        document["search"][name] = value
        if name == "gamma":  # under a pure guarantee any gamma costs the same
            assert PrivacyStatement.from_dict(document).total == 1
            return
        with pytest.raises(VerificationError):
            PrivacyStatement.from_dict(document)

    @pytest.mark.parametrize(
        ("name", "value"),
        [("eta", "0"), ("eta", 0), ("eta", "x"), ("gamma", "0/1"), ("gamma", "1/0"), ("try_epsilon", None)],
    )
    def test_a_damaged_field_is_refused(self, name, value):
        document = pure_statement().to_dict()
        document["search"][name] = value
        with pytest.raises(ModelFileError):
            PrivacyStatement.from_dict(document)

    def test_a_search_that_was_taken_out_leaves_a_contradiction(self):
        """The rest still claims what it cost: whoever removes it must state less, in every place."""
        document = pure_statement().to_dict()
        del document["search"]
        with pytest.raises(ModelFileError):
            PrivacyStatement.from_dict(document)
        with pytest.raises(VerificationError):
            PrivacyStatement.from_dict(document | {"format": 1})

    def test_unknown_fields_are_refused(self):
        document = pure_statement().to_dict()
        document["search"]["tries"] = 20
        with pytest.raises(ModelFileError, match="exactly the fields"):
            PrivacyStatement.from_dict(document)
        document = pure_statement(search=None).to_dict()
        with pytest.raises(ModelFileError):
            PrivacyStatement.from_dict(document | {"search": PURE.to_dict()})
