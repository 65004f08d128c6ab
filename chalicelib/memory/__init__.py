"""The notebook: what agents and people remember, to-dos, dated events, states of tasks, projects; and recalling it.

What one person remembers lies in their personal space, what a team does in the team's, so that roles decide here as
they do everywhere. It searches through a port, and knows nothing of how.
"""
