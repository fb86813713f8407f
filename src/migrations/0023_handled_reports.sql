-- Who has seen to a report, when, and what they noted.
ALTER TABLE reports ADD COLUMN handled_at INTEGER;
ALTER TABLE reports ADD COLUMN handled_by INTEGER REFERENCES users (id);
ALTER TABLE reports ADD COLUMN handled_note TEXT NOT NULL DEFAULT '';
