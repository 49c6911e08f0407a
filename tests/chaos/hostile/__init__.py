"""Models that do everything wrong beside people who answer what they are asked: what is filed, what is shown, and how soon they get there."""
