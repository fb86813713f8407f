-- Accounts that others made and nobody has used yet: by an import, or by POST /users ('created'). Null once somebody has signed in, and for all others.
ALTER TABLE users ADD COLUMN awaits_login TEXT CHECK (awaits_login IN ('imported', 'created'));
