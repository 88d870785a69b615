"""One decision tree: its structure, how its splits are chosen and how its leaves are valued."""
