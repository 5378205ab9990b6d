-- expands
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_kind_known";--> statement-breakpoint
DROP INDEX "transfers_once";--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_once" ON "transfers" USING btree ("delivery_id","kind",(case kind when 'raise' then id else delivery_id end));--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_kind_known" CHECK (kind in ('hold', 'raise', 'release', 'refund', 'tip-hold', 'tip-release'));