-- The reported message may go while the report stays, hence no reference to it, nor to the notice about it.
CREATE TABLE reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL,
  reported_id INTEGER NOT NULL REFERENCES users (id),
  reporter_id INTEGER NOT NULL REFERENCES users (id),
  report_type TEXT NOT NULL,
  description TEXT NOT NULL,
  notice_id INTEGER NOT NULL,
  reported_at INTEGER NOT NULL
) STRICT;
