CREATE TABLE "audit" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"address" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "photos" (
	"name" text PRIMARY KEY NOT NULL,
	"is_private" boolean NOT NULL,
	"is_used" boolean NOT NULL,
	"bytes" integer NOT NULL,
	"uploader" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "decided_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "left_pending" "xid8";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "released_from" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "created_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "pending_phone" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "phone_changed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "audit_by_date" ON "audit" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "photos_unused" ON "photos" USING btree ("at") WHERE not is_used;--> statement-breakpoint
CREATE INDEX "photos_uploader" ON "photos" USING btree ("uploader","at");--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_released_from_users_id_fk" FOREIGN KEY ("released_from") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "applications_decided" ON "applications" USING btree ("decided_at") WHERE id_photo <> '';--> statement-breakpoint
CREATE INDEX "deliveries_released_changed" ON "deliveries" USING btree ("released_from","changed") WHERE released_from is not null;--> statement-breakpoint
CREATE INDEX "guest_tokens_delivery" ON "guest_tokens" USING btree ("delivery_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_id" ON "sessions" USING btree ("id");--> statement-breakpoint
CREATE INDEX "sessions_created" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "users_pending_phone" ON "users" USING btree ("pending_phone");--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_status_known" CHECK (status in ('pending', 'approved', 'rejected'));--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_status_known" CHECK (status in ('open', 'resolved'));--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_account_known" CHECK (account ~ '^(escrow|driver|sender|guest):');--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_move_money" CHECK (pesewas <> 0);--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_kind_known" CHECK (kind in ('hold', 'release', 'refund'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_role_known" CHECK (role in ('sender', 'driver', 'admin', 'user'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_driver_status_known" CHECK (driver_status in ('pending', 'approved', 'rejected') and (driver_status is null or role = 'driver'));