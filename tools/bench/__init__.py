"""How fast Paipu is beside other programs of its kind, measured together in one run: ``python -m tools.bench``."""
