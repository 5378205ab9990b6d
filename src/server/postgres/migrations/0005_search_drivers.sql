-- As migration 0003, for what stands in a driver's papers; their name and e-mail are searched where people are.
ALTER TABLE applications ADD COLUMN search_text text GENERATED ALWAYS AS (lower(id_number)) STORED;
--> statement-breakpoint
DO $$
BEGIN
  CREATE INDEX applications_search ON applications USING gin (search_text gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'searching drivers'' papers without an index: %', SQLERRM;
END $$;
