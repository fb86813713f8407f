-- Exports that administrators asked for; those with neither a file nor an end are pending.
CREATE TABLE exports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  acting_user_id INTEGER NOT NULL REFERENCES users (id),
  export_type INTEGER NOT NULL CHECK (export_type IN (1, 2)),
  export_time INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  -- Lies beside the database under this name; forgotten when it is deleted.
  file TEXT UNIQUE,
  failed_timestamp INTEGER,
  deleted_timestamp INTEGER
) STRICT;
