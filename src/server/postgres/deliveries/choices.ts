import { asc, eq, or, sql } from 'drizzle-orm'
import { formerNames, type Zone } from '#domain/zones/zone.ts'
import type { Choices, Zones } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { once } from '../prepared.ts'
import { type items, zoneRoads, zones } from '../tables.ts'

export function choicesOver(db: Db, table: typeof zones | typeof items): Choices {
  // Locked until the transaction ends: nobody removes a zone while a delivery with it is created.
  const named = once(() =>
    db
      .select({ id: table.id })
      .from(table)
      .where(eq(table.name, sql.placeholder('name')))
      .for('key share')
      .prepare(''),
  )
  const key = (name: string) => name.trim().toLowerCase()
  return {
    async list() {
      const rows = await db.select().from(table).orderBy(asc(table.place))
      return rows.map(({ id, name }) => ({ ID: id, Name: name }))
    },
    async has(name) {
      const found = await named().execute({ name })
      return found.length > 0
    },
    async add({ ID, Name }, at) {
      await db.insert(table).values({ id: ID, name: Name, nameKey: key(Name), at: new Date(at) })
    },
    async rename(id, name) {
      await db
        .update(table)
        .set({ name, nameKey: key(name) })
        .where(eq(table.id, id))
    },
    async arrange(ids) {
      await db.execute(sql`
        update ${table} set place = o.place
        from unnest(${sql.param([...ids])}::uuid[]) with ordinality as o (id, place)
        where ${table.id} = o.id and ${table.place} <> o.place`)
    },
    async remove(id) {
      const gone = await db.delete(table).where(eq(table.id, id)).returning({ id: table.id })
      return gone.length > 0
    },
  }
}

/** The roads of each zone, read in one pass: the neighbours in their order on the list. */
const roadsOf = sql`(
  select r.zone, json_agg(json_build_object('to', n.name, 'km', r.km) order by n.place) as roads
  from (
    select zone_a as zone, zone_b as neighbour, km from zone_roads
    union all select zone_b, zone_a, km from zone_roads
  ) r join zones n on n.id = r.neighbour group by 1) roads_of`

export function zonesOver(db: Db): Zones {
  const choices = choicesOver(db, zones)
  return {
    ...choices,
    async nameOf(name) {
      if (await choices.has(name)) return name
      const [found] = await db
        .select({ name: zones.name })
        .from(zones)
        .where(sql`${zones.former} ? ${name}`)
        .orderBy(asc(zones.place))
        .limit(1)
        .for('key share')
      return found?.name
    },
    async rename(id, name) {
      const [zone] = await db.select().from(zones).where(eq(zones.id, id)).for('update')
      if (!zone) return
      const { name: Name, former } = zone
      await choices.rename(id, name)
      await db
        .update(zones)
        .set({ former: formerNames({ Name, former: former ?? [] }, name) })
        .where(eq(zones.id, id))
    },
    async list() {
      const { id, name, lat, lng, former } = zones
      const roads = sql<Zone['roads'] | null>`roads_of.roads`
      const rows = await db
        .select({ id, name, lat, lng, roads, former })
        .from(zones)
        .leftJoin(roadsOf, sql`roads_of.zone = ${id}`)
        .orderBy(asc(zones.place))
      return rows.map(({ id: ID, name: Name, lat, lng, roads, former }) => ({
        ID,
        Name,
        ...(lat !== null && lng !== null ? { lat, lng } : {}),
        ...(roads ? { roads } : {}),
        ...(former?.length ? { former } : {}),
      }))
    },
    async change(id, { lat, lng, roads }) {
      const there = await db
        .update(zones)
        .set({ lat: lat ?? sql`lat`, lng: lng ?? sql`lng` })
        .where(eq(zones.id, id))
        .returning({ id: zones.id })
      if (there.length === 0) return false
      if (!roads) return true
      await db.delete(zoneRoads).where(or(eq(zoneRoads.zoneA, id), eq(zoneRoads.zoneB, id)))
      if (roads.length === 0) return true
      // Its neighbours are locked until the transaction ends: of two changes at once the later one sets a road's length.
      await db.execute(sql`
        insert into zone_roads (zone_a, zone_b, km)
        select least(z.id, ${id}), greatest(z.id, ${id}), r.km
        from json_to_recordset(${JSON.stringify(roads)}) as r("to" text, km float8)
        join zones z on z.name = r."to" for key share of z
        on conflict (zone_a, zone_b) do update set km = excluded.km`)
      return true
    },
  }
}
