"""The command line: what people do daily, over the same REST API that everybody has."""
