-- expands
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_kind_known";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "tip" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_kind_known" CHECK (kind in ('hold', 'release', 'refund', 'tip-hold', 'tip-release'));--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_tip" CHECK (tip BETWEEN 0 AND pesewas);--> statement-breakpoint
-- As in 0014, with what drivers were tipped on each day.
CREATE OR REPLACE FUNCTION rollups_now()
  RETURNS TABLE (day date, kind text, value integer, count bigint, pesewas bigint) LANGUAGE sql STABLE AS $$
  SELECT accra_day(d.created_at), 'status:' || d.status, 0, count(*), sum(d.pesewas)::bigint
  FROM deliveries d GROUP BY 1, 2
  UNION ALL
  SELECT accra_day(a.at), 'arrived', minutes_between(a.created_at, a.at), count(*), 0
  FROM (SELECT d.created_at, arrival_of(d.status, d.history) AS at FROM deliveries d
    WHERE d.status IN ('Delivered', 'Approved')) a
  WHERE a.at IS NOT NULL GROUP BY 1, 3
  UNION ALL
  SELECT accra_day(t.at), CASE t.kind WHEN 'release' THEN 'released' ELSE 'tips' END, 0, count(*), sum(e.pesewas)::bigint
  FROM transfers t JOIN entries e ON e.transfer_id = t.id AND e.pesewas > 0
  WHERE t.kind IN ('release', 'tip-release') GROUP BY 1, 2
  UNION ALL
  SELECT accra_day(u.created_at), 'users', 0, count(*), 0 FROM users u GROUP BY 1
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION roll_up_release() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO rollup_changes
    SELECT accra_day(t.at), CASE t.kind WHEN 'release' THEN 'released' ELSE 'tips' END, 0, 1, NEW.pesewas FROM transfers t
    WHERE t.id = NEW.transfer_id AND t.kind IN ('release', 'tip-release');
  RETURN NULL;
END $$;
