"""The wheel holds every file, and each extra that is not there is named to whoever can install it."""
