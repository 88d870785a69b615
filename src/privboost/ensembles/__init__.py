"""Many trees: what each may spend, how they are trained one after the other, and how they answer together."""
