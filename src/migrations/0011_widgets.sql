-- What clients add to a message that is a widget; the first one, made with the message, says which.
CREATE TABLE submessages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES messages (id),
  sender_id INTEGER NOT NULL REFERENCES users (id),
  msg_type TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX submessages_by_message ON submessages (message_id);
