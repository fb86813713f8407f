-- By these keys push services recognize this server.
CREATE TABLE push_keys (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  public_key TEXT NOT NULL,
  private_key TEXT NOT NULL
) STRICT;

-- Browsers that are notified while no page is open. `session_id` may name a session that has ended.
CREATE TABLE push_subscriptions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  session_id INTEGER,
  endpoint TEXT NOT NULL UNIQUE,
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  device TEXT NOT NULL,
  since_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX push_subscriptions_by_user ON push_subscriptions (user_id);

CREATE TABLE push_progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  message_id INTEGER NOT NULL
) STRICT;

-- Notifications that wait to be sent.
CREATE TABLE pushes (
  subscription_id INTEGER NOT NULL REFERENCES push_subscriptions (id),
  message_id INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX pushes_by_due ON pushes (due_at);
