"""Stand-ins for the outside, in memory. Each passes the contract suite that the real adapter passes."""
