-- expands
CREATE TABLE "counters" (
	"key" text PRIMARY KEY NOT NULL,
	"began" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "requests_refused" ON "requests" USING btree ("at") WHERE status >= 400;--> statement-breakpoint
CREATE INDEX "requests_too_large" ON "requests" USING btree ("id") WHERE octet_length(sealed) > 8192;