-- expands
-- As `fold` in src/domain/fold.ts. Its body is bound when it is made, so that no search_path can change it.
CREATE FUNCTION fold(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE octet_length($1)
    -- Nothing but ASCII, as most texts: the short way.
    WHEN length($1) THEN lower($1)
    ELSE lower(translate(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g'), 'ƆɔƐɛŊŋ', 'ooeenn'))
  END;
--> statement-breakpoint
-- A text as search columns hold it: folded, and in small letters, as servers of the version before search it.
CREATE FUNCTION searchable(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE fold($1) WHEN lower($1) THEN lower($1) ELSE fold($1) || chr(10) || lower($1) END;
--> statement-breakpoint
ALTER TABLE users DROP COLUMN search_text;
--> statement-breakpoint
ALTER TABLE users ADD COLUMN search_text text GENERATED ALWAYS AS (
  searchable(name || chr(10) || email || chr(10) || phone || chr(10) || role)
) STORED;
--> statement-breakpoint
DO $$
BEGIN
  CREATE INDEX users_search ON users USING gin (search_text gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'searching people without an index: %', SQLERRM;
END $$;
--> statement-breakpoint
ALTER TABLE audit DROP COLUMN search_text;
--> statement-breakpoint
ALTER TABLE audit ADD COLUMN search_text text GENERATED ALWAYS AS (
  searchable(actor || chr(10) || action || chr(10) || subject || chr(10) || address)
) STORED;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION delivery_search_text(d deliveries) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT searchable(d.item_description || chr(10) || d.sender_name || chr(10) || d.recipient_name || chr(10)
    || d.recipient_phone || chr(10) || d.pickup_zone || chr(10) || d.dropoff_zone || chr(10) || d.id::text)
$$;
--> statement-breakpoint
UPDATE delivery_search SET text = searchable(text)
  WHERE octet_length(text) > length(text) AND text <> searchable(text);
