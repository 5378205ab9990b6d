-- expands
ALTER TABLE "requests" ADD COLUMN "person" uuid;--> statement-breakpoint
CREATE INDEX "requests_person" ON "requests" USING btree ("person") WHERE person is not null;