-- A row for each new message until it is indexed was written, looked up and deleted for nothing: new messages are those above the end
-- of the index, which the index of senders has already. The table keeps those that were changed or deleted after they were indexed.
DELETE FROM unindexed_messages WHERE message_id > (SELECT message_id FROM sender_index_end);

-- Messages that the full-text index does not know yet as they now are.
CREATE VIEW messages_to_index AS
SELECT message_id AS id FROM unindexed_messages
UNION ALL
SELECT id FROM messages NOT INDEXED WHERE id > (SELECT message_id FROM sender_index_end);
