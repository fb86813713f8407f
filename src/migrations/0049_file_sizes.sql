-- For the space that each person's files take up, and for the largest files.
CREATE INDEX attachments_by_owner_size ON attachments (owner_id, size);
CREATE INDEX attachments_by_size ON attachments (size);
