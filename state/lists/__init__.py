"""Lists that officers keep, in versions: read from spreadsheets, compared, and in force from a moment on."""
