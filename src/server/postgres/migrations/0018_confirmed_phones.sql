-- expands
CREATE TABLE "confirmed_phones" (
	"key" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
