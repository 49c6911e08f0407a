"""The vehicle case: a quote, photos and data of what was changed on a vehicle, and the case that a technician reviews."""
