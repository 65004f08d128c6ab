"""The REST door: one table of routes, from which Chalice's routes, the OpenAPI document and the tests are made."""
