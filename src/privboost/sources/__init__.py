"""Where sums over rows come from."""
