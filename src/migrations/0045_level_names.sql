-- Settings whose names or values newer clients know by other words.
UPDATE settings SET name = 'gif_rating_policy' WHERE scope = 'realm' AND name = 'giphy_rating';
UPDATE settings SET value = '"recent"' WHERE name = 'web_home_view' AND value = '"recent_topics"' AND scope IN ('user', 'user_defaults');
