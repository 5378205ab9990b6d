-- As in migration 0001, and two marks more: when a delivery stopped being on offer, and which driver
-- lost it. A list that says what has left it may name only what its reader could once see.
CREATE OR REPLACE FUNCTION mark_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed := pg_current_xact_id();
  NEW.version := CASE WHEN TG_OP = 'UPDATE' THEN OLD.version + 1 ELSE 1 END;
  IF TG_OP = 'UPDATE' THEN
    -- A change that waited for another is the later of the two, whatever its clock said.
    NEW.updated_at := greatest(NEW.updated_at, OLD.updated_at + interval '1 millisecond');
    IF OLD.status = 'Pending' AND NEW.status <> 'Pending' THEN
      NEW.left_pending := pg_current_xact_id();
    END IF;
    IF OLD.driver_id IS NOT NULL AND NEW.driver_id IS DISTINCT FROM OLD.driver_id THEN
      NEW.released_from := OLD.driver_id;
    END IF;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- An escrow account never pays out more than was paid in. Checked when the transaction commits.
CREATE FUNCTION escrow_covers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(pesewas) < 0 FROM entries WHERE account = NEW.account) THEN
    RAISE EXCEPTION 'an escrow account is overdrawn' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER entries_escrow_covers AFTER INSERT ON entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.account LIKE 'escrow:%')
  EXECUTE FUNCTION escrow_covers();
--> statement-breakpoint
CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_final BEFORE UPDATE OR DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION append_only();
--> statement-breakpoint
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit EXECUTE FUNCTION append_only();
--> statement-breakpoint
CREATE TRIGGER entries_no_truncate BEFORE TRUNCATE ON entries EXECUTE FUNCTION append_only();
--> statement-breakpoint
CREATE TRIGGER transfers_no_truncate BEFORE TRUNCATE ON transfers EXECUTE FUNCTION append_only();
--> statement-breakpoint
ALTER TABLE audit ADD COLUMN search_text text GENERATED ALWAYS AS (
  lower(actor || chr(10) || action || chr(10) || subject || chr(10) || address)
) STORED;
--> statement-breakpoint
-- Photos kept by earlier versions that something refers to. Whatever else lies in the folder is swept.
INSERT INTO photos (name, is_private, is_used, bytes, uploader, at)
SELECT name, false, true, 0, '', now()
FROM (
  SELECT substring(item_photo from '/api/images/([0-9a-f]{64}\.[a-z]{3,4})$') AS name FROM deliveries
  UNION
  SELECT substring(proof_of_delivery from '/api/images/([0-9a-f]{64}\.[a-z]{3,4})$') FROM deliveries
  UNION
  SELECT substring(id_photo from '/api/images/([0-9a-f]{64}\.[a-z]{3,4})$') FROM applications
) AS referred
WHERE name IS NOT NULL;
--> statement-breakpoint
-- The 90 days after which an ID photo is deleted begin now for decisions of earlier versions.
UPDATE applications SET decided_at = now() WHERE status <> 'pending';
