CREATE TABLE "devices" (
	"code" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"queue_length" integer NOT NULL,
	"client_version" bigint,
	"user_id" uuid
);
--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "devices_at" ON "devices" USING btree ("at");