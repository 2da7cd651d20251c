-- Amounts are integers of any size: a house may set its own values, and what they come to need not fit 64 bits.

SET LOCAL ROLE paipu_owner;

ALTER TABLE paipu.game_summary
    ALTER COLUMN total_xi TYPE numeric,
    ALTER COLUMN net DROP DEFAULT,
    ALTER COLUMN net TYPE numeric[],
    ALTER COLUMN net SET DEFAULT '{}';
