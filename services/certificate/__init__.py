"""Certificates: what was recorded and how it was judged, signed, and checked by anyone without this program's store."""
