DROP INDEX "users_verified_phone";--> statement-breakpoint
CREATE UNIQUE INDEX "users_verified_phone" ON "users" USING btree ("phone") WHERE verified and phone <> '';