-- A cursor is a transaction id: whatever writes a delivery marks it, and no writer can forget to.
CREATE FUNCTION mark_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed := pg_current_xact_id();
  NEW.version := CASE WHEN TG_OP = 'UPDATE' THEN OLD.version + 1 ELSE 1 END;
  -- A change that waited for another is the later of the two, whatever its clock said.
  IF TG_OP = 'UPDATE' THEN
    NEW.updated_at := greatest(NEW.updated_at, OLD.updated_at + interval '1 millisecond');
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_mark_changed BEFORE INSERT OR UPDATE ON deliveries
  FOR EACH ROW EXECUTE FUNCTION mark_changed();
--> statement-breakpoint
ALTER TABLE deliveries
  ADD CONSTRAINT deliveries_status_known
    CHECK (status IN ('Pending', 'Accepted', 'Picked Up', 'Delivered', 'Approved', 'Cancelled')),
  ADD CONSTRAINT deliveries_offer_above_zero CHECK (pesewas > 0),
  ADD CONSTRAINT deliveries_taken_by_somebody
    CHECK (status IN ('Pending', 'Cancelled') OR driver_id IS NOT NULL),
  ADD CONSTRAINT deliveries_zones_differ CHECK (pickup_zone <> dropoff_zone);
--> statement-breakpoint
-- Double entry: what one account loses, another gains. Looked at when the transaction commits.
CREATE FUNCTION transfer_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT coalesce(sum(pesewas), 0) <> 0 OR count(*) < 2 FROM entries WHERE transfer_id = NEW.transfer_id) THEN
    RAISE EXCEPTION 'transfer % does not balance', NEW.transfer_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER entries_balance AFTER INSERT ON entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION transfer_balances();
--> statement-breakpoint
-- The ledger is written once: a mistake is put right by another transfer.
CREATE FUNCTION ledger_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'check_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER entries_final BEFORE UPDATE OR DELETE ON entries
  FOR EACH ROW EXECUTE FUNCTION ledger_is_final();
--> statement-breakpoint
CREATE TRIGGER transfers_final BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION ledger_is_final();
