-- expands
ALTER TABLE "users" ADD COLUMN "factor" jsonb;