-- Whose mail it is: it is withdrawn if that person is deactivated or has another address by then. Null for mails that go to an
-- address whatever becomes of an account, such as invitations and notices of a changed address.
ALTER TABLE mails ADD COLUMN reader_id INTEGER;
UPDATE mails SET reader_id = sender_id WHERE id IN (SELECT mail_id FROM mail_messages);
