import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { type QueryOf, requestSchemas } from '#contract/queries.ts'
import { Status } from '#domain/deliveries/delivery.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { type AccessFixture, type Role, roles } from '../access-fixture.ts'
import { leaksIn, ownToken, secretsOf } from './visible-fields.ts'

type Listing = {
  [O in Op]: O extends keyof typeof requestSchemas
    ? (typeof requestSchemas)[O] extends { query: unknown }
      ? O
      : never
    : never
}[Op]
type Values = (fixture: AccessFixture, op: Listing, role: Role) => string[] | Promise<string[]>

const tooMuch = ['', '0', '-1', '1.5', '1001', '99999999999999999999', 'NaN', "1' or '1'='1"]
const sought: Values = ({ targets }) => [
  ...targets.flatMap(({ recipientPhone, recipientName }) => [recipientPhone, recipientName]),
  '0',
  '5',
  'Recipient',
  'Person',
  '%',
  '_',
  '\\',
  "'",
  '"; --',
  'Approved',
]
const sorts: Values = () => [
  'createdAt',
  '-createdAt',
  'offer',
  '-offer',
  'recipientPhone',
  '-deliveryCode',
  'changed',
  'name',
  'email',
  'At',
  '',
  '-',
  '--createdAt',
  'constructor',
  '__proto__',
  '1;select 1',
]
const everyStatus = Status.options
const statuses: Values = () => [
  ...everyStatus,
  everyStatus.join(','),
  'Pending,Approved',
  'Pending, Accepted ,Pending',
  '',
  ',',
  'pending',
  'All',
  'null',
  'Pending,',
  "Pending' or '1'='1",
  'open',
  'all',
  'pending',
  'approved',
  'rejected',
  'resolved',
  'waiting',
  'paid,failed',
]
const zones: Values = () => ['Osu', 'Tema', '', '*', '%', "' or '1'='1", 'Nowhere']
const flags: Values = () => ['true', '1', 'false', '', 'yes', 'TRUE', '2']
const days: Values = () => [...tooMuch, '1', '366', '367']
const dates: Values = () => [
  '2026-01-01',
  '2999-12-31',
  '0100-01-01',
  '9999-12-31',
  '2026-02-30',
  '2026-1-1',
  '2026-01-01T00:00:00Z',
  '0000-00-00',
  '-infinity',
  "2026-01-01' or '1'='1",
  '',
]

/** One of each kind: cursors of further roles are like theirs. */
const holders: Role[] = ['guestOf', 'senderOf', 'driverOf', 'otherDriver', 'admin']

/** Cursors of this list, of other lists, of other readers, and forged ones. */
const cursors: Values = async (fixture, op, role) => {
  const taken = await placesOf(fixture, 'cursor')
  const [epoch = '', number = '0'] = (taken[0] ?? '-').split('-')
  return [
    ...taken,
    ...['1', '0', '-1', '999999999', '9999999999999999999', `${number}0`].map(
      (each) => `${epoch}-${each}`,
    ),
    '',
    '0',
    '1',
    'null',
    `${epoch}`,
    `${epoch}-`,
    `0000000000000000-1`,
    'x'.repeat(2_000),
    `${op}-${role}-1`,
  ]
}
const places: Values = async (fixture) => [
  ...(await placesOf(fixture, 'next')),
  ...['2999-01-01 00:00:00+00', '1000-01-01 00:00:00+00', '9999-99-99 99:99:99+99', '2147483648']
    .flatMap((value) => [value, ''])
    .map((value) => JSON.stringify([value, fixture.targets[0]?.id]))
    .flatMap((place) => [place, Buffer.from(place).toString('base64url')]),
  '',
  '[]',
  'null',
  '{}',
  'x',
  'W10',
]

/** Attack values for each query field: a new field without them does not compile. */
const attacks: { [O in Listing]: { [F in keyof Required<QueryOf<O>>]: Values } } = (() => {
  const page = { limit: () => ['1', '2', ...tooMuch], after: places }
  const narrowed = { ...page, since: cursors, status: statuses }
  const searched = { ...page, search: sought, sort: sorts }
  const drivers = { ...searched, status: statuses }
  return {
    senderDeliveries: narrowed,
    senderActiveDeliveries: narrowed,
    availableDeliveries: {
      ...narrowed,
      pickupZone: zones,
      dropoffZone: zones,
      from: zones,
      to: zones,
      detour: () => ['', '-1', '0', '10', '10.5', '1e1', 'NaN', ...tooMuch],
    },
    driverEarnings: { from: dates, to: dates },
    driverDeliveries: { ...narrowed, include_completed: flags },
    priceGuide: { from: zones, to: zones },
    adminTrends: { days },
    adminSearch: { q: sought },
    adminUsers: searched,
    adminDisputes: { ...searched, status: statuses },
    adminDeliveries: {
      ...searched,
      ...narrowed,
      pickupZone: zones,
      dropoffZone: zones,
      createdFrom: dates,
      createdTo: dates,
    },
    adminDrivers: drivers,
    adminDriversWithDetails: drivers,
    adminZones: { search: sought, sort: sorts },
    adminItems: { search: sought, sort: sorts },
    adminMoney: { from: dates, to: dates },
    adminPayouts: { ...searched, status: statuses },
    removeZone: { confirm: flags },
    removeItem: { confirm: flags },
    adminAudit: searched,
  }
})()

const lists = Object.keys(attacks) as Listing[]

/** The parts of a list response that every reader may see: its end and its cursor. */
async function placesOf(fixture: AccessFixture, member: 'cursor' | 'next'): Promise<string[]> {
  const known = kept.get(member) ?? gather()
  kept.set(member, known)
  return known

  async function gather() {
    const found = new Set<string>()
    for (const op of lists)
      for (const role of holders) {
        const { json } = await look(fixture, op, role, 'limit=1')
        if (typeof json[member] === 'string') found.add(json[member])
      }
    return [...found]
  }
}
const kept = new Map<string, Promise<string[]>>()

async function look(fixture: AccessFixture, op: Op, role: Role, query: string) {
  const { path }: Endpoint = endpoints[op]
  // Without a text there is no search.
  const asked = op === 'adminSearch' && !query.includes('q=') ? `q=a&${query}` : query
  const at = asked ? `${path}?${asked}` : path
  const token = ownToken(fixture, role)
  const response = await fixture.server.raw('GET', at, { token })
  const text = await response.text()
  const json: Record<string, unknown> = JSON.parse(text)
  return { status: response.status, json, text, token }
}

/** IDs of all rows in a response, removed ones too. */
function idsIn({ removed = [], ...json }: Record<string, unknown>): string[] {
  const rows = Object.values(json).find(Array.isArray) ?? []
  const ids = rows.map((row: { ID?: string }) => `${row.ID}`)
  return [...ids, ...(removed as string[])]
}

/** The rows this reader may ever get from a list: their own of any status, or available jobs. */
async function mayBeTold(fixture: AccessFixture, op: Listing, role: Role): Promise<Set<string>> {
  if (op === 'senderActiveDeliveries')
    return new Set(idsIn((await look(fixture, 'senderDeliveries', role, '')).json))
  if (op === 'adminSearch')
    return new Set(idsIn((await look(fixture, 'adminUsers', role, 'limit=100')).json))
  const whole = { driverDeliveries: 'include_completed=true', adminDisputes: 'status=all' }
  const query = op in whole ? whole[op as keyof typeof whole] : ''
  return new Set(idsIn((await look(fixture, op, role, query)).json))
}

/**
 * No query field of any list shows a reader a row, or a detail of one, that they may not see. `everyValue`: each reader
 * tries each value; otherwise the readers of a list share its values, and of those who may not read it one tries one.
 */
export function listFieldTests(fixture: () => AccessFixture, everyValue: boolean) {
  let secrets: ReturnType<typeof secretsOf>
  beforeAll(() => {
    secrets = secretsOf(fixture())
  })

  test('every query field has attack values at run time too', () => {
    const fields = Object.entries(requestSchemas).flatMap(([op, ask]) =>
      'query' in ask ? [[op, Object.keys(ask.query._zod.def.shape).sort()]] : [],
    )
    const attacked = Object.entries(attacks).map(([op, each]) => [op, Object.keys(each).sort()])
    expect(attacked.sort()).toEqual(fields.sort())
  })

  describe.each(lists)('%s', (op) => {
    type Reader = { role: Role; isServed: boolean; ids: string[]; allowed: Set<string> }
    const readers: Reader[] = []
    let turn = 0
    beforeAll(async () => {
      for (const role of roles) {
        const { status, json } = await look(fixture(), op, role, '')
        const allowed = await mayBeTold(fixture(), op, role)
        readers.push({ role, isServed: status === 200, ids: idsIn(json), allowed })
      }
    })

    /** Each reader with what they try of these values. */
    async function tries(values: (role: Role) => string[] | Promise<string[]>) {
      const served = readers.filter(({ isServed }) => isServed)
      const found: { reader: Reader; value: string }[] = []
      const refused = readers.filter(({ isServed }) => !isServed)
      const other = refused[turn++ % refused.length]
      for (const [at, reader] of readers.entries()) {
        if (!everyValue && !reader.isServed && reader !== other) continue
        const all = await values(reader.role)
        const own = everyValue
          ? all
          : reader.isServed
            ? all.filter((_, n) => n % served.length === served.indexOf(reader))
            : [all[at % all.length] ?? '']
        found.push(...own.map((value) => ({ reader, value })))
      }
      return found
    }

    /** What a response to this query holds beyond what its reader may see. */
    async function beyond({ role, isServed, allowed }: Reader, query: string): Promise<string[]> {
      const { status, json, text, token } = await look(fixture(), op, role, query)
      const found = leaksIn(fixture(), secrets, { token, asked: '', answer: text })
      // A reader without access to the list has none with any field either.
      if (status >= 500 || (!isServed && status === 200)) found.push(`${status}`)
      if (status === 200)
        found.push(...idsIn(json).flatMap((id) => (allowed.has(id) ? [] : [`row ${id}`])))
      return found.map((each) => `${role} ?${query.slice(0, 80)}: ${each}`)
    }

    test.each(Object.entries(attacks[op]) as [string, Values][])(
      'R73: by %s shows no reader a row they may not see',
      async (field, values) => {
        const found: string[] = []
        for (const { reader, value } of await tries((role) => values(fixture(), op, role)))
          found.push(...(await beyond(reader, `${field}=${encodeURIComponent(value)}`)))
        expect(found.slice(0, 20)).toEqual([])
      },
    )

    test('R74: refuses search and sort where it is not for admins', async () => {
      for (const { reader, value } of await tries(() => ['search=offer', 'sort=offer'])) {
        const { status, json } = await look(fixture(), op, reader.role, value)
        if (!reader.isServed) expect(status).toBeGreaterThanOrEqual(400)
        else if (!Object.hasOwn(attacks[op], 'search') && op !== 'adminSearch')
          expect([status, json.reason]).toEqual([400, 'invalid'])
      }
    })

    test('an unknown field, or one sent twice, does not change which rows a reader gets', async () => {
      const unknown = ['of=everyone', 'role=admin', 'sender=x', 'status[]=Approved', '__proto__=1']
      const twice = Object.keys(attacks[op]).map((field) => `${field}=Pending&${field}=Approved`)
      for (const { reader, value } of await tries(() => [...unknown, ...twice])) {
        expect(await beyond(reader, value)).toEqual([])
        if (!unknown.includes(value)) continue
        const { status, json } = await look(fixture(), op, reader.role, value)
        expect([status === 200, idsIn(json)]).toEqual([reader.isServed, reader.ids])
      }
    })
  })
}
