"""The laptop cloud's engine room: ministack, started with the mends that Acervo's promises need.

Runs in the cloud's own interpreter (`.venv-cloud`), never in the project's. What is mended, and
why, stands at the top of each module; the mends know one version of ministack and refuse others.
"""
