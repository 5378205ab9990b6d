ALTER TABLE "disputes" ADD COLUMN "status" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "resolution" text;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "resolved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "resolved_by" uuid;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_arrived" ON "deliveries" USING btree ("updated_at") WHERE status in ('Delivered', 'Approved');--> statement-breakpoint
CREATE INDEX "disputes_by_status" ON "disputes" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_by_date" ON "transfers" USING btree ("kind","at");