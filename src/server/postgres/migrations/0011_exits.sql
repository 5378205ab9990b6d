ALTER TABLE "codes" DROP CONSTRAINT "codes_user_id_users_id_fk";
--> statement-breakpoint
DROP INDEX "transfers_one_way";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "rated_stars" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "rated_times" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "photo" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "licence_number" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "licence_expires" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "pickup_place" jsonb;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "dropoff_place" jsonb;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "handover_hash" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "track_hash" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "incidents" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "return_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "returning" jsonb;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "return_code" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "disputed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "outcome" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "driver_share" integer;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "decision" jsonb;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "ratings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("due_at") WHERE due_at is not null and not disputed;--> statement-breakpoint
CREATE INDEX "deliveries_guest_phone" ON "deliveries" USING btree ("sender_phone","created_at") WHERE is_guest;--> statement-breakpoint
ALTER TABLE "deliveries"
  ADD CONSTRAINT "deliveries_hashes" CHECK (handover_hash ~ '^[0-9a-f]{64}$' AND track_hash ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "deliveries_share" CHECK (driver_share BETWEEN 0 AND pesewas),
  ADD CONSTRAINT "deliveries_returned_by_somebody" CHECK (driver_share IS NULL OR driver_id IS NOT NULL);
--> statement-breakpoint
-- As in migration 0007, with a name by which the server knows the error.
CREATE OR REPLACE FUNCTION escrow_covers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(pesewas) < 0 FROM entries WHERE account = NEW.account) THEN
    RAISE EXCEPTION 'an escrow account is overdrawn'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'entries_escrow_covers';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A delivery that has ended leaves nothing in its escrow. Checked when the transaction commits.
CREATE FUNCTION escrow_is_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT coalesce(sum(pesewas), 0) <> 0 FROM entries WHERE account = 'escrow:' || NEW.id) THEN
    RAISE EXCEPTION 'the escrow of an ended delivery is not empty' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER deliveries_escrow_is_empty AFTER UPDATE OF status ON deliveries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.status IN ('Approved', 'Cancelled') AND OLD.status <> NEW.status)
  EXECUTE FUNCTION escrow_is_empty();
--> statement-breakpoint
-- The 48 hours after which a delivery is approved by itself begin now for what earlier versions delivered.
UPDATE deliveries SET due_at = now() + interval '48 hours' WHERE status = 'Delivered';
--> statement-breakpoint
UPDATE deliveries SET disputed = true
WHERE id IN (SELECT delivery_id FROM disputes WHERE status = 'open');
--> statement-breakpoint
-- While a process of the version before still runs: what it delivers is due, and what it ends is not.
CREATE FUNCTION delivery_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'Delivered' THEN
    NEW.due_at := coalesce(NEW.due_at, NEW.updated_at + interval '48 hours');
  ELSIF NEW.status IN ('Approved', 'Cancelled') THEN
    NEW.due_at := NULL;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_due BEFORE UPDATE OF status ON deliveries
  FOR EACH ROW EXECUTE FUNCTION delivery_due();
--> statement-breakpoint
-- And what is reported or resolved there is marked. This version has marked it before the commit.
CREATE FUNCTION mark_disputed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE deliveries d SET disputed = NOT d.disputed
  WHERE d.id = NEW.delivery_id AND d.disputed <> EXISTS (
    SELECT 1 FROM disputes WHERE delivery_id = d.id AND status = 'open'
  );
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER disputes_mark AFTER INSERT OR UPDATE OF status ON disputes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION mark_disputed();
