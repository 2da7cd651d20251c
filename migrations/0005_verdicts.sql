-- Verdicts as past engines gave them: a cache, by which an audit tells what a new version of the engine would change. It can be emptied at any time.

SET LOCAL ROLE paipu_owner;

CREATE TABLE paipu.verdict (
    game_id   uuid        NOT NULL,
    engine    text        NOT NULL,
    version   integer     NOT NULL,
    ruleset   bytea       NOT NULL,
    body      bytea       NOT NULL,
    judged_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (game_id, engine)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON paipu.verdict TO paipu_service;
