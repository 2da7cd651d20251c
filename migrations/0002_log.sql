-- The log of games. Every key leads with game_id, so that the tables can be distributed by it.

SET LOCAL ROLE paipu_owner;

CREATE TABLE paipu.game (
    game_id    uuid        NOT NULL,
    game       text        NOT NULL,
    owner      text        NOT NULL,
    rules      bytea       NOT NULL,
    header     bytea       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (game_id)
);

-- The only row that an append changes.
CREATE TABLE paipu.game_head (
    game_id   uuid    NOT NULL,
    version   integer NOT NULL,
    head_hash bytea   NOT NULL,
    PRIMARY KEY (game_id)
) WITH (fillfactor = 50);

-- One append call: who wrote when, under which request key, what was answered, and the chain's ends.
CREATE TABLE paipu.batch (
    game_id        uuid        NOT NULL,
    first_seq      integer     NOT NULL,
    last_seq       integer     NOT NULL,
    prev_hash      bytea       NOT NULL,
    head_hash      bytea       NOT NULL,
    recorder       text        NOT NULL,
    recorded_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    request_id     text,
    request_digest bytea,
    answer         bytea       NOT NULL,
    PRIMARY KEY (game_id, first_seq),
    CONSTRAINT batch_request UNIQUE (game_id, request_id),
    CHECK (first_seq <= last_seq),
    CHECK ((request_id IS NULL) = (request_digest IS NULL))
);

CREATE TABLE paipu.event (
    game_id      uuid    NOT NULL,
    seq          integer NOT NULL,
    kind         text    NOT NULL,
    kind_version integer NOT NULL,
    payload      bytea   NOT NULL,
    PRIMARY KEY (game_id, seq)
);

CREATE TABLE paipu.annotation (
    game_id     uuid        NOT NULL,
    number      integer     NOT NULL,
    payload     bytea       NOT NULL,
    author      text        NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (game_id, number)
);

-- A tombstone: the annotation is no longer shown.
CREATE TABLE paipu.annotation_removal (
    game_id    uuid        NOT NULL,
    number     integer     NOT NULL,
    removed_by text        NOT NULL,
    removed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (game_id, number)
);

CREATE TABLE paipu.match (
    match_id   uuid        NOT NULL,
    owner      text        NOT NULL,
    header     bytea       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (match_id)
);

CREATE TABLE paipu.match_game (
    match_id uuid        NOT NULL,
    position integer     NOT NULL,
    game_id  uuid        NOT NULL,
    added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (match_id, position),
    CONSTRAINT match_game_once UNIQUE (match_id, game_id)
);

-- A cache by which games are listed; it can be rebuilt from the log.
CREATE TABLE paipu.game_summary (
    game_id        uuid        NOT NULL,
    version        integer     NOT NULL,
    game           text        NOT NULL,
    owner          text        NOT NULL,
    created_at     timestamptz NOT NULL,
    happened_at    timestamptz NOT NULL,
    players        text[]      NOT NULL,
    dealer         integer     NOT NULL,
    title          text        NOT NULL,
    played_at      timestamptz,
    finished       boolean     NOT NULL,
    outcome_end    text,
    winners        integer[]   NOT NULL,
    winner_names   text[]      NOT NULL,
    has_violations boolean     NOT NULL,
    search_text    text        NOT NULL,
    digest         bytea,
    PRIMARY KEY (game_id)
);

CREATE INDEX game_summary_latest ON paipu.game_summary (happened_at DESC, game_id DESC);
CREATE INDEX game_summary_finished ON paipu.game_summary (digest, owner) WHERE finished;

GRANT SELECT, INSERT
    ON paipu.game, paipu.game_head, paipu.batch, paipu.event, paipu.annotation, paipu.annotation_removal, paipu.match, paipu.match_game
    TO paipu_service;
GRANT UPDATE (version, head_hash) ON paipu.game_head TO paipu_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON paipu.game_summary TO paipu_service;
