-- Messages that were changed or deleted, and whose reminders still quote what they were. Reminders are renewed in the order of their
-- IDs, in transactions of their own: there may be one for everybody.
CREATE TABLE stale_reminders (
  message_id INTEGER PRIMARY KEY,
  -- The reminder that was renewed last.
  last_id INTEGER NOT NULL
) STRICT;
