-- expands
CREATE TABLE "zone_roads" (
	"zone_a" uuid NOT NULL,
	"zone_b" uuid NOT NULL,
	"km" double precision NOT NULL,
	CONSTRAINT "zone_roads_zone_a_zone_b_pk" PRIMARY KEY("zone_a","zone_b"),
	CONSTRAINT "zone_roads_pair" CHECK (zone_a < zone_b and km > 0)
);
--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "lat" double precision;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "lng" double precision;--> statement-breakpoint
ALTER TABLE "zone_roads" ADD CONSTRAINT "zone_roads_zone_a_zones_id_fk" FOREIGN KEY ("zone_a") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_roads" ADD CONSTRAINT "zone_roads_zone_b_zones_id_fk" FOREIGN KEY ("zone_b") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "zone_roads_zone_b" ON "zone_roads" USING btree ("zone_b");--> statement-breakpoint
ALTER TABLE "zones" ADD CONSTRAINT "zones_centre" CHECK ((lat is null) = (lng is null));
