-- Who may do what. Secrets are kept only as SHA-256 sums. A token is never changed: to take it back is a row of its own.

SET LOCAL ROLE paipu_owner;

CREATE TABLE paipu.token (
    token_id   uuid        NOT NULL,
    name       text        NOT NULL,
    digest     bytea       NOT NULL,
    role       text        NOT NULL CHECK (role IN ('reader', 'recorder', 'reviewer', 'referee', 'admin')),
    game_id    uuid,
    match_id   uuid,
    viewpoint  text        NOT NULL,
    created_by text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz,
    PRIMARY KEY (token_id),
    CONSTRAINT token_digest UNIQUE (digest),
    CHECK (game_id IS NULL OR match_id IS NULL)
);

CREATE TABLE paipu.token_revocation (
    token_id   uuid        NOT NULL,
    revoked_by text        NOT NULL,
    revoked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (token_id)
);

-- A browser that has shown a token once. ``credential`` is the sum of that token, so that it ends with it.
CREATE TABLE paipu.session (
    digest     bytea       NOT NULL,
    credential bytea       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (digest)
);

-- A game without a row is private.
CREATE TABLE paipu.game_access (
    game_id      uuid        NOT NULL,
    visibility   text        NOT NULL CHECK (visibility IN ('private', 'link', 'public')),
    share_digest bytea,
    changed_by   text        NOT NULL,
    changed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (game_id),
    CHECK ((visibility = 'link') = (share_digest IS NOT NULL))
);

-- Who is writing a running hand down at the moment.
CREATE TABLE paipu.lease (
    game_id uuid        NOT NULL,
    digest  bytea       NOT NULL,
    holder  text        NOT NULL,
    since   timestamptz NOT NULL,
    until   timestamptz NOT NULL,
    PRIMARY KEY (game_id)
);

-- ``over``: the hand has certainly ended, and with it the secrecy. The others are what statistics count, where the outcome stands.
ALTER TABLE paipu.game_summary
    ADD COLUMN over boolean NOT NULL DEFAULT false,
    ADD COLUMN sound boolean NOT NULL DEFAULT false,
    ADD COLUMN total_xi integer,
    ADD COLUMN mingtang text[] NOT NULL DEFAULT '{}',
    ADD COLUMN net integer[] NOT NULL DEFAULT '{}';

GRANT SELECT, INSERT ON paipu.token, paipu.token_revocation TO paipu_service;
GRANT SELECT, INSERT, DELETE ON paipu.session TO paipu_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON paipu.game_access, paipu.lease TO paipu_service;
