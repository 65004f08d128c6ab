"""The official conformance suite on our bridge: `make conformance`."""
