-- A mail in HTML, besides its text.
ALTER TABLE mails ADD COLUMN html TEXT;
-- Message-ID, thread, list and address for unsubscribing, as JSON.
ALTER TABLE mails ADD COLUMN headers TEXT NOT NULL DEFAULT '{}';
-- 0 if nobody is told when it cannot be delivered.
ALTER TABLE mails ADD COLUMN tells_sender INTEGER NOT NULL DEFAULT 1;
ALTER TABLE mails ADD COLUMN queued_at INTEGER NOT NULL DEFAULT 0;
-- What the mail server answered to the last attempt.
ALTER TABLE mails ADD COLUMN answer TEXT;
-- When the last attempt failed; the row stays for a while, without its text, for whoever looks.
ALTER TABLE mails ADD COLUMN given_up_at INTEGER;
CREATE INDEX mails_given_up ON mails (given_up_at) WHERE given_up_at IS NOT NULL;

-- Messages that a waiting mail quotes: it is not sent if one of them is deleted.
CREATE TABLE mail_messages (
  mail_id INTEGER NOT NULL,
  message_id INTEGER NOT NULL,
  PRIMARY KEY (message_id, mail_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_messages_by_mail ON mail_messages (mail_id);

-- Random values of this server, such as the key of the links for unsubscribing.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Messages that a person may get a mail about, until it is due.
CREATE TABLE missed_messages (
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL,
  PRIMARY KEY (user_id, message_id)
) STRICT, WITHOUT ROWID;

-- When each person's mails about missed messages are due.
CREATE TABLE missed_batches (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  since INTEGER NOT NULL,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX missed_batches_by_due ON missed_batches (due_at);

-- The last message that was looked at.
CREATE TABLE missed_progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  message_id INTEGER NOT NULL
) STRICT;
INSERT INTO missed_progress (id, message_id) SELECT 1, COALESCE(MAX(id), 0) FROM messages;

-- The devices and networks at which a person has logged in, so that only new ones cause a mail.
CREATE TABLE known_logins (
  user_id INTEGER NOT NULL REFERENCES users (id),
  device TEXT NOT NULL,
  network TEXT NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, device, network)
) STRICT, WITHOUT ROWID;
