-- All that a search of deliveries may find, in one column, so that one index serves it.
ALTER TABLE deliveries ADD COLUMN search_text text GENERATED ALWAYS AS (
  lower(
    item_description || chr(10) || status || chr(10) || sender_name || chr(10) || recipient_name
    || chr(10) || recipient_phone || chr(10) || pickup_zone || chr(10) || dropoff_zone
    || chr(10) || coalesce(driver->>'name', '') || chr(10) || id::text
  )
) STORED;
--> statement-breakpoint
-- Three letters anywhere in a word. Without the extension (an engine of another make, a user who may
-- not add one) the same search reads every row: slower, never wrong.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX deliveries_search ON deliveries USING gin (search_text gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'searching deliveries without an index: %', SQLERRM;
END $$;
