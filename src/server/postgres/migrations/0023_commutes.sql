-- expands
ALTER TABLE "users" ADD COLUMN "commutes" jsonb;--> statement-breakpoint
-- The commutes after somebody chose routes in the version before: those with times stay, and are told of or not; the
-- routes that none of them covers replace those without; five at most (R166).
CREATE FUNCTION commutes_after_routes(commutes jsonb, routes jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  WITH kept AS (
    SELECT place,
      CASE WHEN timed THEN commute || jsonb_build_object('notify', told) ELSE commute END AS commute,
      there, back
    FROM jsonb_array_elements(commutes) WITH ORDINALITY AS all_of(commute, place),
      LATERAL (SELECT
        commute ? 'leaves' OR commute ? 'returns' AS timed,
        jsonb_build_object('from', commute -> 'from', 'to', commute -> 'to') AS there,
        CASE WHEN commute ? 'returns'
          THEN jsonb_build_object('from', commute -> 'to', 'to', commute -> 'from') END AS back
      ) AS parts,
      LATERAL (SELECT coalesce(routes @> jsonb_build_array(there) OR routes @> jsonb_build_array(back), false) AS told) AS wanted
    WHERE timed OR told OR commute -> 'notify' = 'false'
  ), added AS (
    SELECT 1000 + place AS place,
      route || '{"days": [1, 2, 3, 4, 5, 6, 7], "notify": true}'::jsonb AS commute
    FROM jsonb_array_elements(routes) WITH ORDINALITY AS all_of(route, place)
    WHERE NOT EXISTS (SELECT FROM kept WHERE there = route OR back = route)
  ), first_five AS (
    SELECT * FROM (SELECT place, commute FROM kept UNION ALL SELECT place, commute FROM added) AS both_of
    ORDER BY place LIMIT 5
  )
  SELECT coalesce(jsonb_agg(commute ORDER BY place), '[]') FROM first_five
$$;
--> statement-breakpoint
UPDATE "users" SET "commutes" = commutes_after_routes('[]', notifications -> 'routes')
  WHERE jsonb_typeof(notifications -> 'routes') = 'array' AND notifications -> 'routes' <> '[]';
--> statement-breakpoint
CREATE FUNCTION routes_to_commutes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.commutes := commutes_after_routes(
    coalesce(NEW.commutes, '[]'), coalesce(NEW.notifications -> 'routes', '[]'));
  RETURN NEW;
END $$;
--> statement-breakpoint
-- Processes of the version before change the routes, and phones of the version before do: this is for both.
CREATE TRIGGER users_routes_to_commutes BEFORE UPDATE OF notifications ON users
  FOR EACH ROW
  WHEN (NEW.notifications -> 'routes' IS DISTINCT FROM OLD.notifications -> 'routes'
    AND NEW.commutes IS NOT DISTINCT FROM OLD.commutes)
  EXECUTE FUNCTION routes_to_commutes();
