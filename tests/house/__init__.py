"""How big the house is: lines, files, rooms, docstrings, and how far a click and a sentence go through it."""
