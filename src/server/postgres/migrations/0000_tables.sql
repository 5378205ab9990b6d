CREATE TABLE "activities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "applications" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"id_type" text NOT NULL,
	"id_number" text NOT NULL,
	"id_photo" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "codes" (
	"user_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"phone" text NOT NULL,
	"hash" text NOT NULL,
	"wrong" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "codes_user_id_purpose_pk" PRIMARY KEY("user_id","purpose")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"item_description" text NOT NULL,
	"pickup_zone" text NOT NULL,
	"dropoff_zone" text NOT NULL,
	"pesewas" integer NOT NULL,
	"item_photo" text,
	"proof_of_delivery" text,
	"recipient_name" text NOT NULL,
	"recipient_phone" text NOT NULL,
	"delivery_code" text NOT NULL,
	"is_guest" boolean NOT NULL,
	"sender_name" text NOT NULL,
	"sender_phone" text NOT NULL,
	"sender_id" uuid,
	"sender" jsonb,
	"driver_id" uuid,
	"driver" jsonb,
	"history" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed" "xid8" DEFAULT pg_current_xact_id() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"delivery_id" uuid NOT NULL,
	"issue" text NOT NULL,
	"type" text NOT NULL,
	"priority" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "entries" (
	"transfer_id" uuid NOT NULL,
	"account" text NOT NULL,
	"pesewas" bigint NOT NULL,
	CONSTRAINT "entries_transfer_id_account_pk" PRIMARY KEY("transfer_id","account")
);
--> statement-breakpoint
CREATE TABLE "guest_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"delivery_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"place" integer GENERATED ALWAYS AS IDENTITY (sequence name "items_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1)
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"id" text PRIMARY KEY NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer,
	"sealed" "bytea",
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"delivery_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_key" text NOT NULL,
	"phone" text NOT NULL,
	"role" text NOT NULL,
	"verified" boolean NOT NULL,
	"driver_status" text,
	"password_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "zones" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"place" integer GENERATED ALWAYS AS IDENTITY (sequence name "zones_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1)
);
--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "codes" ADD CONSTRAINT "codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guest_tokens" ADD CONSTRAINT "guest_tokens_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activities_by_date" ON "activities" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "applications_by_date" ON "applications" USING btree ("created_at","user_id");--> statement-breakpoint
CREATE INDEX "applications_by_status" ON "applications" USING btree ("status","created_at","user_id");--> statement-breakpoint
CREATE INDEX "attempts_key" ON "attempts" USING btree ("key","at");--> statement-breakpoint
CREATE INDEX "attempts_at" ON "attempts" USING btree ("at");--> statement-breakpoint
CREATE INDEX "codes_phone" ON "codes" USING btree ("phone");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_one_active_job" ON "deliveries" USING btree ("driver_id") WHERE status in ('Accepted', 'Picked Up');--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_one_active_delivery" ON "deliveries" USING btree ("sender_id") WHERE status in ('Pending', 'Accepted', 'Picked Up', 'Delivered');--> statement-breakpoint
CREATE INDEX "deliveries_sender" ON "deliveries" USING btree ("sender_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_driver" ON "deliveries" USING btree ("driver_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_status" ON "deliveries" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_by_date" ON "deliveries" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_by_offer" ON "deliveries" USING btree ("pesewas","id");--> statement-breakpoint
CREATE INDEX "deliveries_route" ON "deliveries" USING btree ("status","pickup_zone","dropoff_zone","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_changed" ON "deliveries" USING btree ("changed");--> statement-breakpoint
CREATE INDEX "deliveries_sender_changed" ON "deliveries" USING btree ("sender_id","changed");--> statement-breakpoint
CREATE INDEX "deliveries_driver_changed" ON "deliveries" USING btree ("driver_id","changed");--> statement-breakpoint
CREATE INDEX "disputes_by_date" ON "disputes" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "disputes_delivery" ON "disputes" USING btree ("delivery_id");--> statement-breakpoint
CREATE INDEX "entries_account" ON "entries" USING btree ("account");--> statement-breakpoint
CREATE UNIQUE INDEX "items_name" ON "items" USING btree ("name_key");--> statement-breakpoint
CREATE INDEX "requests_at" ON "requests" USING btree ("at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_used" ON "sessions" USING btree ("used_at");--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_once" ON "transfers" USING btree ("delivery_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_one_way" ON "transfers" USING btree ("delivery_id") WHERE kind in ('release', 'refund');--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email_key");--> statement-breakpoint
CREATE UNIQUE INDEX "users_verified_phone" ON "users" USING btree ("phone") WHERE verified;--> statement-breakpoint
CREATE INDEX "users_phone" ON "users" USING btree ("phone","created_at");--> statement-breakpoint
CREATE INDEX "users_by_date" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree (lower(name),"id");--> statement-breakpoint
CREATE INDEX "users_by_email" ON "users" USING btree ("email_key","id");--> statement-breakpoint
CREATE UNIQUE INDEX "zones_name" ON "zones" USING btree ("name_key");