-- Merging many segments within one commit stalls the server, the longer the larger the index. Indexing merges by itself, a few
-- pages in each transaction (src/messaging/message-index/indexing.ts).
INSERT INTO message_index (message_index, rank) VALUES ('automerge', 0);
INSERT INTO message_index (message_index, rank) VALUES ('usermerge', 16);
INSERT INTO message_index (message_index, rank) VALUES ('crisismerge', 1000);
