"""Cases and counterexamples for the statements on positional bias and content."""
from proofs.case import Case
def bias_cases(): raise NotImplementedError
bias_needed=()
