-- Who writes directly with whom.
CREATE INDEX direct_participants_by_conversation ON direct_participants (conversation_id, user_id);
