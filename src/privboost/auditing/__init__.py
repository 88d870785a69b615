"""Audits: lower bounds on what a learner really reveals, exact or from many fits or one, to hold against its claim."""
