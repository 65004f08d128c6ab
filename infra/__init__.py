"""How Acervo gets onto a machine: the template, the package, the deployment, the laptop cloud.

Nothing here ships to Lambda, and nothing in `chalicelib` knows of it.
"""
