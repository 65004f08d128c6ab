"""The laptop cloud: an emulator, the deployed stack on it, and the verbs `up`, `down` and `reset`.

Tests start one of their own through `laptop`; only `places` reads the environment.
"""
