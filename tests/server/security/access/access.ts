import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { usesPostgres } from '../../../helpers/server/server.ts'
import {
  type AccessFixture,
  defaultTarget,
  exists,
  type Kind,
  kinds,
  type Role,
  roles,
  type Stage,
  stages,
  type Target,
  targetOf,
  tokenOf,
} from '../access-fixture.ts'
import { cellsOf, type Probe, type Row } from './access-rows.ts'
import { table } from './access-table.ts'
import { advertFields, leaksIn, ownToken, partsOf, secretsOf, sidesOf } from './visible-fields.ts'

const ops = Object.keys(endpoints) as Op[]

/**
 * Every call × every role × own and others' deliveries: its status code and its content. `everyStage`: for deliveries of
 * both kinds in every stage; otherwise once for each different row of a call, of the two kinds in turn, and a refusal once
 * for each role.
 */
export function accessTests(fixture: () => AccessFixture, everyStage: boolean) {
  let secrets: ReturnType<typeof secretsOf>
  beforeAll(() => {
    secrets = secretsOf(fixture())
  })

  test('every call has a row, and every row a response for each role', () => {
    expect(Object.keys(table).sort()).toEqual([...ops].sort())
    for (const probes of Object.values(table)) {
      expect(probes).not.toEqual([])
      for (const { rows } of probes)
        for (const row of typeof rows === 'string' ? [rows] : Object.values(rows))
          cellsOf(row, roles)
    }
    // A call that depends on the delivery's status has a row for every stage, in at least one way to call it.
    for (const op of ops) {
      const byStage = table[op].flatMap(({ rows }) => (typeof rows === 'string' ? [] : [rows]))
      if (byStage.length === 0) continue
      expect([...new Set(byStage.flatMap((rows) => Object.keys(rows)))].sort(), op).toEqual(
        [...stages].sort(),
      )
    }
  })

  /** Makes a call as a role: returns its status, the texts it must not show, and whether its ETag matches for others. */
  async function outcome(op: Op, probe: Probe, role: Role, target: Target) {
    const token =
      tokenOf(fixture(), role, target) ?? (role === 'none' ? undefined : ownToken(fixture(), role))
    const { method, path }: Endpoint = endpoints[op]
    const id = (await probe.id?.(fixture(), target, token)) ?? ''
    const body = method === 'GET' ? undefined : probe.body?.(fixture(), target, token)
    const at = path.replace(/:\w+/, id)
    const response = await fixture().server.raw(method, at, { token, body })
    const answer = `${[...response.headers].join('\n')}\n${await response.text()}`
    const joined = probe.joins === true && response.status === 200
    const revealed = [
      ...(probe.reveals?.(fixture(), target) ?? []),
      ...(joined ? sidesOf(target) : []),
    ]
    const asked = `${at}\n${JSON.stringify(body)}\n${revealed.join('\n')}`
    const leaks = leaksIn(fixture(), secrets, { token, asked, answer: bodyOf(answer), joined })
    return { status: `${response.status}`, leaks, etag: response.headers.get('etag'), at }
  }

  const bodyOf = (answer: string) => answer.slice(answer.lastIndexOf('\n') + 1)

  /** The row's entry when the response is one it allows, so that a failing comparison shows both. */
  const fitting = (expected: string, status: string) =>
    expected.split('/').includes(status) ? status : expected

  async function expectRow(
    op: Op,
    probe: Probe,
    row: string,
    targetFor: (role: Role) => Target,
    refused = new Set<string>(),
  ) {
    const cells = cellsOf(row, roles)
    const expected: Partial<Record<Role, string>> = {}
    const actual: Partial<Record<Role, string>> = {}
    const leaks: string[] = []
    for (const role of roles) {
      const target = targetFor(role)
      if (cells[role] === '-' || !exists(fixture(), role, target)) continue
      const refusal = cells[role].startsWith('4') ? `${role} ${cells[role]}` : undefined
      if (refusal && refused.has(refusal)) continue
      if (refusal && !everyStage) refused.add(refusal)
      const found = await outcome(op, probe, role, target)
      expected[role] = fitting(cells[role], found.status)
      actual[role] = found.status
      leaks.push(...found.leaks.map((leak) => `${role} is told ${leak}`))
    }
    expect({ answers: actual, leaks }).toEqual({ answers: expected, leaks: [] })
  }

  describe.each(ops)('%s', (op) => {
    for (const probe of table[op]) {
      const { name = '' } = probe
      // The demo's page tells nobody with the app closed.
      const isMissing = !usesPostgres && op === 'subscribe'
      const rows = isMissing ? `${probe.rows}`.replaceAll('201', '404') : probe.rows
      if (typeof rows === 'string')
        test(`R53: responds to each role as its row says ${name}`, () =>
          expectRow(op, probe, rows, (role) => defaultTarget(fixture(), role)))
      else {
        const refused = new Set<string>()
        for (const [stage, row, kind] of cases(rows, everyStage))
          test(`${name} responds to each role as its row says: ${stage}, made by ${kind}`, () =>
            expectRow(op, probe, row, () => targetOf(fixture(), kind, stage), refused))
      }
    }
  })

  test('an ETag of one reader gives no 304 for what another reader sees', async () => {
    for (const op of ops) {
      const { method, path, access }: Endpoint = endpoints[op]
      if (method !== 'GET' || access === 'anyone' || path.includes(':id')) continue
      const etags = new Map<string, Role>()
      for (const role of roles) {
        const { status, etag } = await outcome(
          op,
          { rows: '' },
          role,
          defaultTarget(fixture(), role),
        )
        if (status !== '200') continue
        expect(etags.get(`${etag}`), `${op}: ${role}`).toBeUndefined()
        etags.set(`${etag}`, role)
      }
    }
  })

  describe('R52: the two parties of a delivery see each other’s contact', () => {
    test.each(kinds)('made by %s', async (kind) => {
      const target = targetOf(fixture(), kind, 'Accepted')
      const told = async (role: Role) => {
        const token = tokenOf(fixture(), role, target)
        const answer = await fixture().server.raw('GET', `/deliveries/${target.id}`, { token })
        const text = await answer.text()
        return Object.entries(partsOf(target)).flatMap(([part, value]) =>
          text.includes(value) ? [part] : [],
        )
      }
      const owner = kind === 'guest' ? 'guestOf' : 'senderOf'
      expect(await told(owner)).toEqual(['code', 'recipient', 'sender', 'driver'])
      expect(await told('admin')).toEqual(['code', 'recipient', 'sender', 'driver'])
      expect(await told('driverOf')).toEqual(['recipient', 'sender', 'driver'])
    })
  })

  test.each(kinds)(
    'R51: drivers who look for jobs see item, zones, offer and photo only, made by %s',
    async (kind) => {
      const { id } = targetOf(fixture(), kind, 'Pending')
      const { token } = fixture().otherDriver
      const single = await fixture().server.raw('GET', `/deliveries/${id}`, { token })
      expect(Object.keys((await single.json()).delivery).sort()).toEqual(advertFields)
      const list = await fixture().server.raw('GET', '/driver/available-deliveries', { token })
      const { deliveries } = await list.json()
      expect(deliveries.map(({ ID }: { ID: string }) => ID)).toContain(id)
      for (const each of deliveries) expect(Object.keys(each).sort()).toEqual(advertFields)
    },
  )
}

/** The rows by stage as cases of their own. */
function cases(rows: Partial<Record<Stage, Row>>, everyStage: boolean): [Stage, Row, Kind][] {
  const all = Object.entries(rows) as [Stage, Row][]
  if (everyStage)
    return all.flatMap(([stage, row]) =>
      kinds.map((kind) => [stage, row, kind] as [Stage, Row, Kind]),
    )
  const different = new Map(all.map(([stage, row]) => [row, stage]))
  return [...different].map(([row, stage], at) => [
    stage,
    row,
    kinds[at % kinds.length] ?? 'account',
  ])
}
