-- What stands for people without a picture: 'G' one that their clients make of the address, 'J' one that this server makes.
ALTER TABLE users ADD COLUMN default_avatar TEXT NOT NULL DEFAULT 'G' CHECK (default_avatar IN ('G', 'J'));
-- Whether people are found by what they say in a profile field.
ALTER TABLE profile_fields ADD COLUMN use_for_user_matching INTEGER NOT NULL DEFAULT 0;
