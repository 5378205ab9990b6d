-- expands
-- When a delivery reached Delivered, as long as it counts: nothing before that, and nothing once it was cancelled.
CREATE FUNCTION arrival_of(status text, history jsonb) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT (step->>'at')::timestamptz FROM jsonb_array_elements(history) step
  WHERE status IN ('Delivered', 'Approved') AND step->>'status' = 'Delivered' LIMIT 1
$$;
--> statement-breakpoint
CREATE FUNCTION accra_day(moment timestamptz) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (moment AT TIME ZONE 'Africa/Accra')::date
$$;
--> statement-breakpoint
-- Whole minutes, so that a day has few different values.
CREATE FUNCTION minutes_between(since timestamptz, until timestamptz) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT round(extract(epoch FROM until - since) / 60)::int
$$;
--> statement-breakpoint
-- The rollups as they would be if everything were counted now: they are rebuilt and verified with it.
CREATE FUNCTION rollups_now()
  RETURNS TABLE (day date, kind text, value integer, count bigint, pesewas bigint) LANGUAGE sql STABLE AS $$
  SELECT accra_day(d.created_at), 'status:' || d.status, 0, count(*), sum(d.pesewas)::bigint
  FROM deliveries d GROUP BY 1, 2
  UNION ALL
  SELECT accra_day(a.at), 'arrived', minutes_between(a.created_at, a.at), count(*), 0
  FROM (SELECT d.created_at, arrival_of(d.status, d.history) AS at FROM deliveries d
    WHERE d.status IN ('Delivered', 'Approved')) a
  WHERE a.at IS NOT NULL GROUP BY 1, 3
  UNION ALL
  SELECT accra_day(t.at), 'released', 0, count(*), sum(e.pesewas)::bigint
  FROM transfers t JOIN entries e ON e.transfer_id = t.id AND e.pesewas > 0
  WHERE t.kind = 'release' GROUP BY 1
  UNION ALL
  SELECT accra_day(u.created_at), 'users', 0, count(*), 0 FROM users u GROUP BY 1
$$;
--> statement-breakpoint
-- The functions below write with their owner's rights: a server of the version before has none to these tables.
CREATE FUNCTION roll_up_delivery() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  was timestamptz;
  now_is timestamptz;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO rollup_changes VALUES (accra_day(NEW.created_at), 'status:' || NEW.status, 0, 1, NEW.pesewas);
  ELSE
    INSERT INTO rollup_changes VALUES
      (accra_day(OLD.created_at), 'status:' || OLD.status, 0, -1, -OLD.pesewas),
      (accra_day(NEW.created_at), 'status:' || NEW.status, 0, 1, NEW.pesewas);
    was := arrival_of(OLD.status, OLD.history);
  END IF;
  now_is := arrival_of(NEW.status, NEW.history);
  IF was IS DISTINCT FROM now_is THEN
    IF was IS NOT NULL THEN
      INSERT INTO rollup_changes VALUES (accra_day(was), 'arrived', minutes_between(OLD.created_at, was), -1, 0);
    END IF;
    IF now_is IS NOT NULL THEN
      INSERT INTO rollup_changes VALUES (accra_day(now_is), 'arrived', minutes_between(NEW.created_at, now_is), 1, 0);
    END IF;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_roll_up_added AFTER INSERT ON deliveries
  FOR EACH ROW EXECUTE FUNCTION roll_up_delivery();
--> statement-breakpoint
CREATE TRIGGER deliveries_roll_up_changed AFTER UPDATE ON deliveries
  FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.pesewas <> NEW.pesewas)
  EXECUTE FUNCTION roll_up_delivery();
--> statement-breakpoint
CREATE FUNCTION roll_up_release() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO rollup_changes
    SELECT accra_day(t.at), 'released', 0, 1, NEW.pesewas FROM transfers t
    WHERE t.id = NEW.transfer_id AND t.kind = 'release';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER entries_roll_up AFTER INSERT ON entries
  FOR EACH ROW WHEN (NEW.pesewas > 0 AND NEW.account LIKE 'driver:%')
  EXECUTE FUNCTION roll_up_release();
--> statement-breakpoint
CREATE FUNCTION roll_up_user() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO rollup_changes VALUES (accra_day(NEW.created_at), 'users', 0, 1, 0);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_roll_up AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION roll_up_user();
--> statement-breakpoint
INSERT INTO rollups (day, kind, value, count, pesewas) SELECT * FROM rollups_now();
--> statement-breakpoint
CREATE FUNCTION delivery_search_text(d deliveries) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT lower(d.item_description || chr(10) || d.sender_name || chr(10) || d.recipient_name || chr(10)
    || d.recipient_phone || chr(10) || d.pickup_zone || chr(10) || d.dropoff_zone || chr(10) || d.id::text)
$$;
--> statement-breakpoint
CREATE FUNCTION index_delivery() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO delivery_search VALUES (NEW.id, NEW.pesewas, delivery_search_text(NEW))
    ON CONFLICT (id) DO UPDATE SET pesewas = excluded.pesewas, text = excluded.text;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_index_added AFTER INSERT ON deliveries
  FOR EACH ROW EXECUTE FUNCTION index_delivery();
--> statement-breakpoint
-- No call changes these. A correction by hand is found all the same.
CREATE TRIGGER deliveries_index_changed AFTER UPDATE ON deliveries
  FOR EACH ROW WHEN (
    (OLD.pesewas, OLD.item_description, OLD.sender_name, OLD.recipient_name, OLD.recipient_phone, OLD.pickup_zone, OLD.dropoff_zone)
    IS DISTINCT FROM
    (NEW.pesewas, NEW.item_description, NEW.sender_name, NEW.recipient_name, NEW.recipient_phone, NEW.pickup_zone, NEW.dropoff_zone)
  ) EXECUTE FUNCTION index_delivery();
--> statement-breakpoint
INSERT INTO delivery_search SELECT d.id, d.pesewas, delivery_search_text(d) FROM deliveries d;
--> statement-breakpoint
-- The column search_text of deliveries stays for servers of the version before: they search it without an index.
DROP INDEX IF EXISTS deliveries_search;
--> statement-breakpoint
DO $$
BEGIN
  CREATE INDEX delivery_search_text ON delivery_search USING gin (text gin_trgm_ops)
    WITH (gin_pending_list_limit = 1024);
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'searching deliveries without an index: %', SQLERRM;
END $$;
--> statement-breakpoint
-- Ids of deliveries with this text, at most so many. With a pattern of three letters the index is always the
-- better way, but PostgreSQL cannot know how often a text occurs, and may read every row.
CREATE FUNCTION find_deliveries(pattern text, most integer) RETURNS SETOF uuid LANGUAGE sql STABLE
  SET enable_seqscan = off AS $$
  SELECT s.id FROM delivery_search s WHERE s.text LIKE pattern LIMIT most
$$;
