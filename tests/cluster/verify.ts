import pg from 'pg'
import { openCaller } from './load/caller.ts'
import type { Crowd } from './load/crowd.ts'
import type { Journal } from './load/journal.ts'
import { openPhone } from './load/phone.ts'

type Stored = {
  id: string
  status: string
  driver: string | null
  history: { status: string }[]
  transfers: string[]
}

const deliveries = `
  select d.id, d.status, d.driver_id as driver, d.history,
    array(select kind from transfers t where t.delivery_id = d.id order by kind) as transfers
  from deliveries d`

const life = ['Pending', 'Accepted', 'Picked Up', 'Delivered', 'Approved']

/** Compares what was acknowledged with what the database holds: each change once, and no other (R70, R40). */
export async function verifyDatabase(url: string, journal: Journal): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Stored>(deliveries)
  const stored = new Map(rows.map((row) => [row.id, row]))
  for (const [id, { statuses, driver }] of journal.deliveries) {
    const row = stored.get(id)
    if (!row) {
      journal.violate(`the delivery ${id} was acknowledged and is lost`)
      continue
    }
    const history = row.history.map(({ status }) => status).join(', ')
    // A guest can approve what they read before the driver's repeated request is acknowledged.
    const acknowledged = statuses.toSorted((a, b) => life.indexOf(a) - life.indexOf(b)).join(', ')
    if (acknowledged !== life.slice(0, statuses.length).join(', ') || history !== acknowledged)
      journal.violate(`${id} has the history ${history}; acknowledged: ${statuses.join(', ')}`)
    if (row.status !== row.history.at(-1)?.status) journal.violate(`${id} is ${row.status}`)
    if ((row.driver ?? undefined) !== driver) journal.violate(`${id} has another driver`)
    const paid = row.status === 'Approved' ? 'hold, payout, release' : 'hold'
    if (row.transfers.join(', ') !== paid) journal.violate(`${id} was paid by ${row.transfers}`)
  }
  for (const id of stored.keys())
    if (!journal.deliveries.has(id)) journal.violate(`${id} exists and was acknowledged to nobody`)
  const [sums] = (
    await client.query<Record<'ledger' | 'activities' | 'open', string>>(`
      select (select coalesce(sum(pesewas), 0) from entries) as ledger,
        (select count(*) from activities where type = 'delivery_created') as activities,
        (select count(*) from requests where status is null) as open`)
  ).rows
  if (sums?.ledger !== '0') journal.violate(`the ledger sums to ${sums?.ledger}`)
  if (Number(sums?.activities) !== stored.size)
    journal.violate(`${sums?.activities} creates took effect for ${stored.size} deliveries`)
  if (sums?.open !== '0')
    journal.violate(`${sums?.open} request keys are claimed without an answer`)
  await client.end()
}

/** Each phone pulls once more from its cursor and then holds what a phone without one gets (R73). */
export async function verifyPhones(origin: string, { phones }: Crowd, journal: Journal) {
  const caller = openCaller(origin, journal, 0)
  for (const { list, token, phone } of phones) {
    await phone.pull()
    const anew = openPhone(list, token, caller)
    await anew.pull()
    const [held, listed] = [new Set(phone.rows()), new Set(anew.rows())]
    const missing = [...listed].filter((row) => !held.has(row))
    const extra = [...held].filter((row) => !listed.has(row))
    if (missing.length + extra.length > 0)
      journal.violate(`a phone’s ${list} lacks ${missing.slice(0, 2)} and has ${extra.slice(0, 2)}`)
  }
}
