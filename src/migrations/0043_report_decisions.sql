-- The message as it was when it was reported, and where; a direct message has no channel. The text goes when its sender is erased, or
-- when it is older than what the organization keeps.
ALTER TABLE reports ADD COLUMN channel_id INTEGER REFERENCES channels (id);
ALTER TABLE reports ADD COLUMN topic TEXT;
ALTER TABLE reports ADD COLUMN content TEXT NOT NULL DEFAULT '';
-- What the last decision was: whether to do nothing, and what was done, as JSON.
ALTER TABLE reports ADD COLUMN is_dismissed INTEGER NOT NULL DEFAULT 0 CHECK (is_dismissed IN (0, 1));
ALTER TABLE reports ADD COLUMN acts TEXT NOT NULL DEFAULT '[]';
UPDATE reports SET (channel_id, topic) = (
  SELECT conversations.channel_id, messages.topic FROM messages JOIN conversations ON conversations.id = messages.conversation_id
  WHERE messages.id = reports.message_id
);

CREATE INDEX reports_open ON reports (id) WHERE handled_at IS NULL;
CREATE INDEX reports_by_message ON reports (message_id);
CREATE INDEX reports_by_reported ON reports (reported_id);
CREATE INDEX reports_by_reporter ON reports (reporter_id);
CREATE INDEX reports_with_text ON reports (reported_at) WHERE content <> '';

-- What moderators decided about a report, one decision after another.
CREATE TABLE report_decisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  report_id INTEGER NOT NULL REFERENCES reports (id),
  decided_at INTEGER NOT NULL,
  decided_by INTEGER REFERENCES users (id),
  decision TEXT NOT NULL CHECK (decision IN ('handled', 'dismissed', 'reopened')),
  acts TEXT NOT NULL,
  warning TEXT NOT NULL,
  note TEXT NOT NULL
) STRICT;
CREATE INDEX report_decisions_by_report ON report_decisions (report_id);
INSERT INTO report_decisions (report_id, decided_at, decided_by, decision, acts, warning, note)
SELECT id, handled_at, handled_by, 'handled', '[]', '', handled_note FROM reports WHERE handled_at IS NOT NULL;
