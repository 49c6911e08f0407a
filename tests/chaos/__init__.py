"""What tries to break the promises of the design, in parts; `make chaos` runs them whole, the tests a short form of each."""
