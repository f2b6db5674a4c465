"""Strategies that draw the cases of several statements."""
