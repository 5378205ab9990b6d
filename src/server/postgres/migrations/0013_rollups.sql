-- expands
CREATE TABLE "delivery_search" (
	"id" uuid PRIMARY KEY NOT NULL,
	"pesewas" integer NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rollup_changes" (
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"value" integer NOT NULL,
	"count" bigint NOT NULL,
	"pesewas" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rollups" (
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"value" integer NOT NULL,
	"count" bigint NOT NULL,
	"pesewas" bigint NOT NULL,
	CONSTRAINT "rollups_kind_day_value_pk" PRIMARY KEY("kind","day","value")
);
--> statement-breakpoint
DROP INDEX "deliveries_by_offer";--> statement-breakpoint
DROP INDEX "deliveries_arrived";--> statement-breakpoint
DROP INDEX "deliveries_sender";--> statement-breakpoint
DROP INDEX "deliveries_driver";--> statement-breakpoint
DROP INDEX "deliveries_sender_changed";--> statement-breakpoint
DROP INDEX "deliveries_driver_changed";--> statement-breakpoint
CREATE INDEX "delivery_search_by_offer" ON "delivery_search" USING btree ("pesewas","id");--> statement-breakpoint
CREATE INDEX "deliveries_sender" ON "deliveries" USING btree ("sender_id","created_at","id") WHERE "deliveries"."sender_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_driver" ON "deliveries" USING btree ("driver_id","created_at","id") WHERE "deliveries"."driver_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_sender_changed" ON "deliveries" USING btree ("sender_id","changed") WHERE "deliveries"."sender_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_driver_changed" ON "deliveries" USING btree ("driver_id","changed") WHERE "deliveries"."driver_id" is not null;