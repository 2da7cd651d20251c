-- The global order. An append queues its batch in its own transaction; a sequencer, one at a time, moves what is queued into the feed
-- at dense positions. So a batch that commits late gets a late position and no reader can step over it.

SET LOCAL ROLE paipu_owner;

CREATE TABLE paipu.feed_queue (
    game_id     uuid        NOT NULL,
    first_seq   integer     NOT NULL,
    last_seq    integer     NOT NULL,
    head_hash   bytea       NOT NULL,
    queued_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (game_id, first_seq)
);

CREATE TABLE paipu.feed (
    position     bigint      NOT NULL,
    game_id      uuid        NOT NULL,
    first_seq    integer     NOT NULL,
    last_seq     integer     NOT NULL,
    head_hash    bytea       NOT NULL,
    hash         bytea       NOT NULL,
    published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (position)
);

CREATE TABLE paipu.feed_head (
    singleton boolean NOT NULL DEFAULT true CHECK (singleton),
    position  bigint  NOT NULL,
    hash      bytea   NOT NULL,
    PRIMARY KEY (singleton)
);

INSERT INTO paipu.feed_head (position, hash) VALUES (0, sha256('paipu/1 feed'::bytea));

GRANT SELECT, INSERT, DELETE ON paipu.feed_queue TO paipu_service;
GRANT SELECT, INSERT ON paipu.feed TO paipu_service;
GRANT SELECT, UPDATE (position, hash) ON paipu.feed_head TO paipu_service;
