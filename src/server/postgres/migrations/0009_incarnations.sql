CREATE TABLE "incarnations" (
	"id" text PRIMARY KEY NOT NULL,
	"first" "xid8" NOT NULL,
	"written" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"database" bigint NOT NULL,
	"started" timestamp with time zone NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
