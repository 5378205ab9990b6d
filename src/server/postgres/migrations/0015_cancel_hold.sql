-- expands
DROP INDEX "deliveries_one_active_delivery";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "refund" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "refund_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "contested" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "deliveries_refund_due" ON "deliveries" USING btree ("refund_due_at") WHERE "deliveries"."refund_due_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_one_active_delivery" ON "deliveries" USING btree ("sender_id") WHERE status in ('Pending', 'Accepted', 'Picked Up', 'Delivered') and not contested;
--> statement-breakpoint
ALTER TABLE "deliveries"
  ADD CONSTRAINT "deliveries_refund_known" CHECK (refund IN ('held', 'done')),
  ADD CONSTRAINT "deliveries_refund_due_held" CHECK (refund_due_at IS NULL OR (refund = 'held' AND status = 'Cancelled'));
--> statement-breakpoint
-- An ended delivery leaves nothing in its escrow, but while its money is held after a cancel.
DROP TRIGGER deliveries_escrow_is_empty ON deliveries;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER deliveries_escrow_is_empty AFTER UPDATE OF status, refund ON deliveries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.status IN ('Approved', 'Cancelled') AND NEW.refund IS DISTINCT FROM 'held'
    AND (OLD.status <> NEW.status OR OLD.refund IS DISTINCT FROM NEW.refund))
  EXECUTE FUNCTION escrow_is_empty();
