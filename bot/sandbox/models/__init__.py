"""The insides of the scripted Messages API: `playback`, `answers` and `scripts` beside this room are its doors."""
