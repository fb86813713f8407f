-- Browsers in which somebody has signed in before: strangers' failed logins do not stop them. The cookie holds the token, the
-- table its hash.
CREATE TABLE known_browsers (
  user_id INTEGER NOT NULL REFERENCES users (id),
  hash BLOB NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_browsers_by_hash ON known_browsers (hash);
