"""The pipes: one outside thing each, behind the ports that the rooms wrote.

Vendor libraries are imported here and nowhere else, and their faults become known errors here. Adapters know
neither each other nor the settings.
"""
