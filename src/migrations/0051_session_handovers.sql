-- Secrets by which pages of a session go to another node of a cluster, where the session's cookie does not hold, and the cookies
-- that the browser got there. They end with the session.
CREATE TABLE session_handovers (
  id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  -- Of the secret, which a page holds.
  hash BLOB NOT NULL UNIQUE,
  -- Of the cookie that the browser got for the secret; NULL until then. The secret works no more then.
  token_hash BLOB UNIQUE
) STRICT;
CREATE INDEX session_handovers_by_session ON session_handovers (session_id);
