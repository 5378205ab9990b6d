-- expands
ALTER TABLE "deliveries" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "size" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "fragile" boolean DEFAULT false NOT NULL;
