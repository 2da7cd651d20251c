"""The rules of 常德麻将 (rules §3), one file a moment of play; ``engine.changde.rulebook`` lists them all."""
