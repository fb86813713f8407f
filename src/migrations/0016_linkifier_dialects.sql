-- Patterns stored before Python's rules were kept to go on meaning what they meant.
ALTER TABLE linkifiers ADD COLUMN dialect TEXT NOT NULL DEFAULT 're2' CHECK (dialect IN ('python', 're2'));
