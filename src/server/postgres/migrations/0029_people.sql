-- expands
CREATE TABLE "user_notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"text" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "suspended" jsonb;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "withheld" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "user_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "user_notes" ADD CONSTRAINT "user_notes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "user_notes_user" ON "user_notes" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "applications_photo" ON "applications" USING btree ("id_photo") WHERE id_photo <> '';--> statement-breakpoint
CREATE INDEX "applications_id_number" ON "applications" USING btree (upper(regexp_replace("id_number", '[^A-Za-z0-9]', '', 'g')));--> statement-breakpoint
CREATE INDEX "users_photo" ON "users" USING btree ("photo") WHERE photo is not null;--> statement-breakpoint
CREATE INDEX "users_suspended" ON "users" USING btree ("id") WHERE suspended is not null;--> statement-breakpoint
CREATE INDEX "devices_users" ON "devices" USING gin ("user_ids");--> statement-breakpoint
-- As in migration 0026; a delivery whose sender is suspended was not on offer, and one that is withheld leaves the offers (R199).
CREATE OR REPLACE FUNCTION mark_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed := pg_current_xact_id();
  NEW.version := CASE WHEN TG_OP = 'UPDATE' THEN OLD.version + 1 ELSE 1 END;
  IF TG_OP = 'UPDATE' THEN
    -- A change that waited for another is the later of the two, whatever its clock said.
    NEW.updated_at := greatest(NEW.updated_at, OLD.updated_at + interval '1 millisecond');
    IF OLD.status = 'Pending' AND (NEW.status <> 'Pending' OR NEW.withheld) AND NOT OLD.withheld
      AND coalesce(OLD.payment ->> 'status', 'held') = 'held' THEN
      NEW.left_pending := pg_current_xact_id();
    END IF;
    IF OLD.driver_id IS NOT NULL AND NEW.driver_id IS DISTINCT FROM OLD.driver_id THEN
      NEW.released_from := OLD.driver_id;
    END IF;
  END IF;
  RETURN NEW;
END $$;
