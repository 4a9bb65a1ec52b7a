-- Games: those that go on have no end yet.
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    -- The position the game began with.
    start TEXT NOT NULL,
    -- Both players as JSON of the protocol, and who of them are users.
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    white_user INTEGER,
    black_user INTEGER,
    -- JSON of the protocol.
    clock TEXT,
    creator INTEGER NOT NULL,
    -- Seconds since 1970.
    created INTEGER NOT NULL,
    ended INTEGER,
    winner TEXT,
    reason TEXT,
    length INTEGER,
    -- The record as text.
    record TEXT
);
CREATE INDEX live_matches ON matches (id) WHERE ended IS NULL;

-- Actions of games that go on.
CREATE TABLE actions (
    match INTEGER NOT NULL,
    number INTEGER NOT NULL,
    action TEXT NOT NULL,
    action_id TEXT,
    white_ms INTEGER,
    black_ms INTEGER,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;

-- Users who are known again by the digest of their token.
CREATE TABLE sessions (
    user INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    token BLOB NOT NULL
);

-- The highest numbers given away: none is used twice.
CREATE TABLE numbers (last_user INTEGER NOT NULL, last_match INTEGER NOT NULL);
INSERT INTO numbers VALUES (0, 0);
