-- The messages of each sender. An index of messages would write a page for each sender in a commit; this table is brought up to date
-- by the job that indexes messages (src/messaging/message-index), a thousand at a time, and searches look at the newest themselves.
CREATE TABLE sender_index (
  sender_id INTEGER NOT NULL,
  message_id INTEGER NOT NULL,
  PRIMARY KEY (sender_id, message_id)
) STRICT, WITHOUT ROWID;

-- One row: messages with higher IDs are not in it yet. IDs only grow.
CREATE TABLE sender_index_end (
  message_id INTEGER NOT NULL
) STRICT;

INSERT INTO sender_index (sender_id, message_id)
SELECT sender_id, id FROM messages INDEXED BY messages_by_sender ORDER BY sender_id, id;

INSERT INTO sender_index_end (message_id) SELECT IFNULL(MAX(id), 0) FROM messages;

DROP INDEX messages_by_sender;

-- All of them, the newest one by one.
CREATE VIEW sent_messages AS
SELECT sender_id, message_id AS id FROM sender_index
UNION ALL
SELECT sender_id, id FROM messages NOT INDEXED WHERE id > (SELECT message_id FROM sender_index_end);

CREATE TRIGGER sender_index_after_delete AFTER DELETE ON messages BEGIN
  DELETE FROM sender_index WHERE sender_id = old.sender_id AND message_id = old.id;
END;

CREATE TRIGGER sender_index_after_change AFTER UPDATE OF sender_id ON messages BEGIN
  UPDATE sender_index SET sender_id = new.sender_id WHERE sender_id = old.sender_id AND message_id = old.id;
END;
