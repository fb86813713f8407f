-- Who changed what in the organization, and when. `actor_id` is null where the system acted by itself.
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor_id INTEGER REFERENCES users (id),
  client TEXT NOT NULL,
  event TEXT NOT NULL,
  about TEXT NOT NULL,
  about_id INTEGER,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX audit_log_by_subject ON audit_log (about, about_id);
CREATE INDEX audit_log_by_actor ON audit_log (actor_id);
