"""The workflows that are shipped: one folder each, none of which knows another."""
