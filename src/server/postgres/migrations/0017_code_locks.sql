-- expands
ALTER TABLE "users" ADD COLUMN "licence_pending" jsonb;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "wrong_codes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "new_codes" integer DEFAULT 0 NOT NULL;