"""`holdfast report`: figures, their thresholds, the alerts that fire, and a chart."""
