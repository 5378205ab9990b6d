-- expands
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"delivery_id" uuid NOT NULL,
	"driver_id" uuid,
	"charge_id" uuid,
	"cause" text,
	"pesewas" integer NOT NULL,
	"phone" text,
	"network" text,
	"status" text NOT NULL,
	"reference" text,
	"message" text,
	"otp" text,
	"due_at" timestamp (3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_kind_known" CHECK (kind in ('charge', 'refund', 'payout')),
	CONSTRAINT "payments_status_known" CHECK (status in ('waiting', 'sent', 'otp', 'paid', 'failed', 'reversed')),
	CONSTRAINT "payments_move_money" CHECK (pesewas > 0)
);
--> statement-breakpoint
ALTER TABLE "entries" DROP CONSTRAINT "entries_account_known";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_kind_known";--> statement-breakpoint
DROP INDEX "transfers_once";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "payout" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "next_payout" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "pending_payout" jsonb;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "payments" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "paid_by" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "payment" jsonb;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "payout" jsonb;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "fee_percent" double precision;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payments_delivery" ON "payments" USING btree ("delivery_id");--> statement-breakpoint
CREATE INDEX "payments_due" ON "payments" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "payments_by_status" ON "payments" USING btree ("kind","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_date" ON "payments" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_driver" ON "payments" USING btree ("driver_id","created_at") WHERE driver_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_once" ON "transfers" USING btree ("delivery_id","kind",(case when kind in ('raise', 'payout', 'unpaid', 'surplus', 'surplus-refund') then id else delivery_id end));--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_account_known" CHECK (account ~ '^(escrow|promised|owed|driver|sender|guest):|^fees$');--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_kind_known" CHECK (kind in ('hold', 'release', 'fee', 'refund', 'tip-hold', 'tip-release', 'raise', 'payout', 'unpaid', 'surplus', 'surplus-refund'));--> statement-breakpoint
-- What is promised, held or owed for a delivery is never overdrawn. Checked when the transaction commits.
DROP TRIGGER entries_escrow_covers ON entries;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER entries_escrow_covers AFTER INSERT ON entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.pesewas < 0 AND NEW.account ~ '^(escrow|promised|owed):')
  EXECUTE FUNCTION escrow_covers();--> statement-breakpoint
-- An ended delivery leaves nothing set aside.
CREATE OR REPLACE FUNCTION escrow_is_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM entries WHERE account IN ('escrow:' || NEW.id, 'promised:' || NEW.id)
    GROUP BY account HAVING sum(pesewas) <> 0) THEN
    RAISE EXCEPTION 'the escrow of an ended delivery is not empty' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- As in migration 0007; a delivery whose money is not held was not on offer (R173).
CREATE OR REPLACE FUNCTION mark_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed := pg_current_xact_id();
  NEW.version := CASE WHEN TG_OP = 'UPDATE' THEN OLD.version + 1 ELSE 1 END;
  IF TG_OP = 'UPDATE' THEN
    -- A change that waited for another is the later of the two, whatever its clock said.
    NEW.updated_at := greatest(NEW.updated_at, OLD.updated_at + interval '1 millisecond');
    IF OLD.status = 'Pending' AND NEW.status <> 'Pending'
      AND coalesce(OLD.payment ->> 'status', 'held') = 'held' THEN
      NEW.left_pending := pg_current_xact_id();
    END IF;
    IF OLD.driver_id IS NOT NULL AND NEW.driver_id IS DISTINCT FROM OLD.driver_id THEN
      NEW.released_from := OLD.driver_id;
    END IF;
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
-- A process of the version before knows one name for what is set aside.
CREATE FUNCTION escrow_is_promised() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM transfers t JOIN deliveries d ON d.id = t.delivery_id
    WHERE t.id = NEW.transfer_id AND d.payments = 'direct') THEN
    NEW.account := replace(NEW.account, 'escrow:', 'promised:');
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER entries_escrow_is_promised BEFORE INSERT ON entries
  FOR EACH ROW WHEN (NEW.account LIKE 'escrow:%')
  EXECUTE FUNCTION escrow_is_promised();
--> statement-breakpoint
-- Which figure of money a line of a transfer moves, and by how much: what payers gave, and where it is now (R184).
CREATE FUNCTION money_moved(e entries, OUT kind text, OUT pesewas bigint) LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE split_part(e.account, ':', 1) WHEN 'escrow' THEN 'held' WHEN 'promised' THEN 'held' WHEN 'owed' THEN 'owed'
      WHEN 'driver' THEN 'paidOut' WHEN 'fees' THEN 'fees' ELSE CASE WHEN e.pesewas > 0 THEN 'refunded' ELSE 'cameIn' END END,
    CASE WHEN e.account ~ '^(sender|guest):' THEN abs(e.pesewas) ELSE e.pesewas END
$$;--> statement-breakpoint
-- As in 0020, with these figures. A fee is part of the revenue (R42), and what is released is owed until it is paid.
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
  SELECT accra_day(t.at), CASE t.kind WHEN 'tip-release' THEN 'tips' ELSE 'released' END, 0,
    count(*) FILTER (WHERE t.kind <> 'fee'), sum(e.pesewas)::bigint
  FROM transfers t JOIN entries e ON e.transfer_id = t.id AND e.pesewas > 0
  WHERE t.kind IN ('release', 'fee', 'tip-release') GROUP BY 1, 2
  UNION ALL
  SELECT accra_day(t.at), m.kind, 0, count(*), sum(m.pesewas)::bigint
  FROM transfers t JOIN entries e ON e.transfer_id = t.id, money_moved(e) m GROUP BY 1, 2
  UNION ALL
  SELECT accra_day(u.created_at), 'users', 0, count(*), 0 FROM users u GROUP BY 1
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION roll_up_release() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO rollup_changes
    SELECT accra_day(t.at), CASE t.kind WHEN 'tip-release' THEN 'tips' ELSE 'released' END, 0,
      CASE t.kind WHEN 'fee' THEN 0 ELSE 1 END, NEW.pesewas
    FROM transfers t WHERE t.id = NEW.transfer_id AND t.kind IN ('release', 'fee', 'tip-release');
  RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER entries_roll_up ON entries;--> statement-breakpoint
CREATE TRIGGER entries_roll_up AFTER INSERT ON entries
  FOR EACH ROW WHEN (NEW.pesewas > 0 AND NEW.account ~ '^(driver|owed):|^fees$')
  EXECUTE FUNCTION roll_up_release();--> statement-breakpoint
CREATE FUNCTION roll_up_money() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO rollup_changes
    SELECT accra_day(t.at), m.kind, 0, 1, m.pesewas FROM transfers t, money_moved(NEW) m WHERE t.id = NEW.transfer_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER entries_roll_up_money AFTER INSERT ON entries FOR EACH ROW EXECUTE FUNCTION roll_up_money();--> statement-breakpoint
INSERT INTO rollups (day, kind, value, count, pesewas)
  SELECT accra_day(t.at), m.kind, 0, count(*), sum(m.pesewas)
  FROM transfers t JOIN entries e ON e.transfer_id = t.id, money_moved(e) m GROUP BY 1, 2;
