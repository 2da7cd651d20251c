"""Bytes to records and back: JSON, JSON Lines and MessagePack, strictly read and losslessly written. No I/O happens here."""
