-- expands
ALTER TABLE "disputes" ADD COLUMN "reported_by" uuid;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "reporter_name" text;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_reported_by_users_id_fk" FOREIGN KEY ("reported_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;