"""The rules of 偎麻雀 (rules §3), one file a moment of play; ``engine.weimaque.rulebook`` lists them all."""
