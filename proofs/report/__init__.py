"""The page of ``posbias report``: what it starts from, the statements beside its figures, and how it is put together.

The scripts of this folder recompute in the page what `numeric` computes; recursion.js says what they offer.
"""
