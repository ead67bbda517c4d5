"""Cardinal Chains: from every start a chain, its numbers never descending; together the chains cover every cell."""
