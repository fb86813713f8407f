-- The text that stands for an address, with an example of it, and other addresses of the same things.
ALTER TABLE linkifiers ADD COLUMN example_input TEXT;
ALTER TABLE linkifiers ADD COLUMN reverse_template TEXT;
ALTER TABLE linkifiers ADD COLUMN alternative_url_templates TEXT NOT NULL DEFAULT '[]';
