-- As migration 0003, for people.
ALTER TABLE users ADD COLUMN search_text text GENERATED ALWAYS AS (
  lower(name || chr(10) || email || chr(10) || phone || chr(10) || role)
) STORED;
--> statement-breakpoint
DO $$
BEGIN
  CREATE INDEX users_search ON users USING gin (search_text gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'searching people without an index: %', SQLERRM;
END $$;
