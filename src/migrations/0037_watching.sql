-- Monitoring programs read the metrics with tokens of their own.
CREATE TABLE metrics_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL,
  made_at INTEGER NOT NULL
) STRICT;

-- When the programs outside that this server calls last answered, and when one last did not.
CREATE TABLE last_answers (
  service TEXT PRIMARY KEY,
  answered_at INTEGER,
  failed_at INTEGER
) STRICT, WITHOUT ROWID;
