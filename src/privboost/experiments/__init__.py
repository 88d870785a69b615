"""The paper's study: its grid of settings, a runner that can be killed, tests, claims, tables, figures and a page."""
