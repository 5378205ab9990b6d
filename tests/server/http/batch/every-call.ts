import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BatchLine } from '#contract/batch.ts'
import { endpoints, type Op } from '#contract/endpoints.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { storagePolicy } from '#server/http/idempotency/idempotency.ts'
import { batchLines, operation } from '../../../helpers/server/batch.ts'
import { present } from '../../../helpers/server/server.ts'
import { table } from '../../security/access/access-table.ts'
import { ownToken } from '../../security/access/visible-fields.ts'
import {
  type AccessFixture,
  callers,
  defaultTarget,
  type Role,
  startFrozenFixture,
} from '../../security/access-fixture.ts'

const ops = Object.keys(endpoints) as Op[]
const untaken = [
  'login',
  'signup',
  'confirmPhone',
  'resendCode',
  'requestReset',
  'resetPassword',
  'changeProfile',
  'deleteMe',
  'confirmPayout',
  'recoverGuest',
  'confirmGuestRecovery',
  'confirmNotification',
  'inviteColleague',
  'startSecondFactor',
  'confirmSecondFactor',
  'endSecondFactor',
  'acceptInvitation',
] as const satisfies Op[]
const isTaken = (op: Op) =>
  endpoints[op].method !== 'GET' && !(untaken as readonly Op[]).includes(op)

/** A call by a role, as the access table makes it: its path, body and token. */
async function callBy(fixture: AccessFixture, op: Op, role: Role) {
  const { path }: Endpoint = endpoints[op]
  const target = defaultTarget(fixture, role)
  const token = ownToken(fixture, role)
  const probe = present(table[op][0])
  const id = (await probe.id?.(fixture, target, token)) ?? ''
  return { path: path.replace(/:\w+/, id), body: probe.body?.(fixture, target, token), token }
}

type Asked = Awaited<ReturnType<typeof callBy>>

async function singly(
  { server }: AccessFixture,
  op: Op,
  { path, body, token }: Asked,
  key: string,
) {
  const answer = await server.raw(endpoints[op].method, path, { token, key, body })
  const again = answer.headers.get('idempotent-replayed') === 'true'
  return { status: answer.status, body: await answer.json(), again }
}

async function inBatch(
  { server }: AccessFixture,
  op: Op,
  { path, body, token }: Asked,
  key: string,
): Promise<BatchLine> {
  const lines = await batchLines(server, [operation(endpoints[op].method, path, { key, body })], {
    token,
  })
  expect(lines).toHaveLength(1)
  return present(lines[0])
}

/** What does not differ between two equal calls: times, codes and tokens do. */
const comparable = (body: unknown) => {
  const { error, reason, ...rest } = body as Record<string, unknown>
  const fields = Object.entries(rest).map(([name, value]) =>
    typeof value === 'object' && value !== null ? [name, Object.keys(value)] : [name, typeof value],
  )
  return { error, reason, fields: Object.fromEntries(fields) }
}

/** Each call of the table, singly and in a batch, by these roles. */
export function everyCallInBatches(rolesOf: (op: Op) => readonly Role[]) {
  let fixture: Awaited<ReturnType<typeof startFrozenFixture>>
  beforeAll(async () => {
    fixture = await startFrozenFixture()
  })
  afterAll(() => fixture.server.close())

  describe('whose effect is undone', () => {
    test.each(ops.filter(isTaken))(
      'R88: %s in a batch gives every role the answer of the single call',
      async (op) => {
        for (const role of rolesOf(op)) {
          const asked = await callBy(fixture, op, role)
          const single = await singly(fixture, op, asked, v7())
          const line = await inBatch(fixture, op, asked, v7())
          expect(line.status, role).toBe(single.status)
          expect(comparable(line.body), role).toEqual(comparable(single.body))
        }
      },
    )

    test.each(ops.filter((op) => !isTaken(op)))('R88: a batch does not take %s', async (op) => {
      const path = endpoints[op].path.replace(/:\w+/, v7())
      const line = (await batchLines(fixture.server, [operation(endpoints[op].method, path)]))[0]
      expect(line).toMatchObject({ status: 400, body: { reason: 'invalid' } })
    })
  })

  describe('that takes effect', () => {
    beforeAll(() => fixture.thaw())

    // These end the session of their token, and nothing is left to ask with.
    const repeatable = ops.filter((op) => isTaken(op) && op !== 'logout' && op !== 'endSession')

    test.each(repeatable)('R88: %s is repeated with the outcome it had, either way', async (op) => {
      const role = callers[endpoints[op].access]
      const [one, other] = [v7(), v7()]
      const asked = await callBy(fixture, op, role)
      const first = await singly(fixture, op, asked, one)
      // A success is always stored, and a refusal where the call needs a token (R71).
      const isStored = first.status < 400 || storagePolicy(op, endpoints[op]) === 'final'
      expect(isStored).toBe(true)
      const { again: _, ...same } = first
      expect(await inBatch(fixture, op, asked, one)).toEqual({ key: one, ...same })
      const line = await inBatch(fixture, op, asked, other)
      expect(await singly(fixture, op, asked, other)).toEqual({
        status: line.status,
        body: line.body,
        again: true,
      })
    })
  })
}
