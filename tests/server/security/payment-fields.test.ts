import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { requestSchemas } from '#contract/queries.ts'
import { isOnOffer } from '#domain/deliveries/delivery.ts'
import type { Payment } from '#domain/payment-fields.ts'
import { PayoutStatus } from '#domain/payout.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { present } from '../../helpers/server/server.ts'
import { ofTarget } from './access/access-rows.ts'
import { table } from './access/access-table.ts'
import { approvedDrivers, deliveriesIn } from './access/visible-fields.ts'
import {
  type AccessFixture,
  exists,
  roles,
  startAccessFixture,
  type Target,
  tokenOf,
} from './access-fixture.ts'

type Money = Pick<Payment, 'paidBy' | 'payment' | 'payout' | 'feePercent'>
type State = { mode: 'direct' | 'paystack'; payment: string; payout: string }
type Reader = 'sender' | 'driver' | 'offer' | 'admin'

const none = 'none'
const payments = [none, 'waiting', 'otp', 'failed', 'held', 'released', 'refunded']
const payouts = [none, ...PayoutStatus.options]
const states: State[] = [
  ...payouts.map((payout): State => ({ mode: 'direct', payment: none, payout })),
  ...payments.map((payment): State => ({ mode: 'paystack', payment, payout: none })),
  // A payout follows a payment that is released.
  ...payouts.map((payout): State => ({ mode: 'paystack', payment: 'released', payout })),
]
const at = '2026-11-01T10:00:00.000Z'

/** What a delivery has in this state, all fields that there are. */
const moneyOf = ({ mode, payment, payout }: State): Money => ({
  paidBy: mode === 'direct' ? 'momo' : undefined,
  payment:
    payment === none
      ? undefined
      : {
          status: payment === 'otp' ? 'waiting' : payment,
          message: 'Words for the payer',
          at,
          ...(payment === 'otp' ? { otp: true } : {}),
        },
  payout: payout === none ? undefined : { status: payout, message: 'Words for the driver', at },
  feePercent: 7,
})

/** What each reader may know of that. */
const seenBy: Record<Reader, (money: Money) => Money> = {
  admin: (money) => money,
  sender: ({ payout: _, ...money }) => money,
  driver: (money) => ({ ...money, payment: statusOf(money) }),
  offer: ({ feePercent, payment }) => ({ feePercent, payment: statusOf({ payment }) }),
}
const statusOf = ({ payment }: Money) => payment && { status: payment.status }

/** Of a charge: only the provider reads it. */
const ofPayer = ['0249876501', 'reference of the charge', 'voucher 4711', 'Words about the charge']
/** Of a payout: admins read it. */
const ofPayout = ['reference of the payout', 'Words about the payout']
const sentTo = '0249876502'

/*
 * Who reads what of a delivery's money (R171 to R178): every mode, and every state of a payment and of a payout, each once for each kind of delivery in turn, ×
 * every reader × every read.
 */

let fixture: AccessFixture
let tokens: (string | undefined)[]
const given = new Map<string, State>()
const met = new Set<string>()

beforeAll(async () => {
  fixture = await startAccessFixture()
  const all = fixture.targets.flatMap((target) =>
    roles.map((role) => tokenOf(fixture, role, target)),
  )
  tokens = [...new Set(all)]
  for (const target of fixture.targets) await addPayments(target)
})
afterAll(() => fixture.server.close())

/** A charge, and a payout where there is a driver. */
const addPayments = ({ id, driver }: Target) =>
  fixture.server.repo.transaction(async (stores) => {
    const { secrets } = fixture.server.ports
    const row = { deliveryId: id, pesewas: 6050, tries: 1, createdAt: at, updatedAt: at }
    const [phone, reference, otp, message] = ofPayer
    const account = { phone, network: 'mtn', reference, otp, message } as const
    const charge = {
      ...row,
      ...account,
      id: secrets.id(),
      kind: 'charge',
      status: 'otp',
    } as const
    await stores.payments.add({ ...charge, cause: 'offer' })
    if (!driver) return
    await stores.payments.add({
      ...row,
      id: secrets.id(),
      kind: 'payout',
      driverId: driver.user.ID,
      phone: sentTo,
      network: 'mtn',
      status: 'failed',
      reference: ofPayout[0],
      message: ofPayout[1],
    })
  })

async function put({ id }: Target, state: State) {
  given.set(id, state)
  const { paidBy, payment, payout, feePercent } = moneyOf(state)
  const values = [id, state.mode, paidBy, payment, payout, feePercent]
  await fixture.server
    .pool()
    .query(
      `update deliveries set payments = $2, paid_by = $3, payment = $4, payout = $5, fee_percent = $6 where id = $1`,
      values,
    )
}

function readerOf(token: string | undefined, target: Target): Reader | undefined {
  if (!token) return undefined
  if (token === fixture.admin.token) return 'admin'
  if (token === target.sender?.token || token === target.guest?.token) return 'sender'
  if (token === target.driver?.token) return 'driver'
  const isOffered =
    target.stage === 'Pending' &&
    isOnOffer({ status: 'Pending', payment: moneyOf(stateOf(target)).payment })
  return isOffered && approvedDrivers(fixture).includes(token) ? 'offer' : undefined
}
const stateAt = (place: number) => present(states[place % states.length])
const stateOf = ({ id }: Target) => present(given.get(id))

/** What this response says beyond, or other than, what its reader may know. */
function wrongIn(path: string, text: string, token: string | undefined): string[] {
  const texts = [...ofPayer, sentTo, ...(token === fixture.admin.token ? [] : ofPayout)]
  const own = path === endpoints.myData.path ? ownTexts(token) : []
  const wrong = texts.filter((each) => text.includes(each) && !own.includes(each))
  for (const seen of deliveriesIn(text)) {
    const target = fixture.targets.find(({ id }) => id === seen.ID)
    if (!target) continue
    const reader = readerOf(token, target)
    const may = reader ? seenBy[reader](moneyOf(stateOf(target))) : {}
    for (const field of ['paidBy', 'payment', 'payout', 'feePercent'] as const) {
      if (isDeepStrictEqual(seen[field], may[field])) continue
      const [is, should] = [seen[field], may[field]].map((value) => JSON.stringify(value))
      wrong.push(`${reader} of ${target.stage} reads ${field} ${is}, not ${should}`)
    }
    met.add(`${reader} ${JSON.stringify(stateOf(target))}`)
  }
  return wrong
}

/** What a person downloads about themselves (R215): as payer without the voucher, as driver what was paid to them. */
function ownTexts(token: string | undefined): string[] {
  const [phone = '', reference = '', _voucher, message = ''] = ofPayer
  const isPayer = fixture.targets.some(({ sender, guest }) =>
    [sender?.token, guest?.token].includes(token ?? ''),
  )
  const isPaid = fixture.targets.some(({ driver }) => driver?.token === token)
  return [...(isPayer ? [phone, reference, message] : []), ...(isPaid ? [sentTo, ...ofPayout] : [])]
}

async function look(path: string, token: string | undefined) {
  const response = await fixture.server.raw('GET', path, { token })
  return { status: response.status, text: await response.text() }
}

/** The reads of one delivery, and every other read, each with what makes it say most. */
const reads = (Object.keys(endpoints) as Op[]).filter((op) => endpoints[op].method === 'GET')
const isOfDelivery = (op: Op) => table[op].some(({ id }) => id === ofTarget)
const queriesOf = (op: Op): string[] => {
  const schema = requestSchemas[op as keyof typeof requestSchemas] as object | undefined
  const fields =
    schema && 'query' in schema
      ? Object.keys((schema.query as { _zod: { def: { shape: object } } })._zod.def.shape)
      : []
  if (op === 'driverEarnings' || op === 'adminMoney') return ['?from=2026-11-01&to=2026-11-30']
  return fields.includes('include_completed') ? ['', '?include_completed=true'] : ['']
}

/** Reads refused for want of a right, which no state of a delivery gives: they are tried once. */
const refused = new Set<string>()

/** Each delivery by each role, and every other read by every token, from its cursor in `since`. Returns the cursors. */
async function readAll(since: Map<string, string>) {
  const wrong: string[] = []
  const cursors = new Map<string, string>()
  const check = async (path: string, token: string | undefined) => {
    const { status, text } = await look(path, token)
    wrong.push(...wrongIn(path, text, token).map((each) => `GET ${path}: ${each}`))
    return { status, cursor: status === 200 ? JSON.parse(text).cursor : undefined }
  }
  for (const op of reads.filter(isOfDelivery))
    for (const target of fixture.targets)
      for (const role of roles)
        if (exists(fixture, role, target))
          await check(endpoints[op].path.replace(':id', target.id), tokenOf(fixture, role, target))
  for (const token of tokens)
    for (const op of reads) {
      const { path }: Endpoint = endpoints[op]
      if (isOfDelivery(op)) continue
      const id = await table[op][0]?.id?.(fixture, present(fixture.targets[0]), token)
      for (const query of queriesOf(op)) {
        const at = `${path.replace(/:\w+/, id ?? '')}${query}`
        if (refused.has(`${token} ${at}`)) continue
        const last = since.get(`${token} ${at}`)
        const page = last ? `${at}${query ? '&' : '?'}since=${last}` : at
        const { status, cursor } = await check(page, token)
        if (status === 401 || status === 403) refused.add(`${token} ${at}`)
        if (typeof cursor === 'string') cursors.set(`${token} ${at}`, cursor)
      }
    }
  return { wrong, cursors }
}

describe('R171 to R178: nobody reads more of a delivery’s money than is theirs to know', () => {
  let cursors = new Map<string, string>()
  const rounds = Math.ceil(states.length / 14)
  test.each(Array.from({ length: rounds }, (_, round) => round))('round %i', async (round) => {
    const [offered, carried] = ['Pending', 'taken'].map((which) =>
      fixture.targets.filter(({ stage }) => (stage === 'Pending') === (which === 'Pending')),
    )
    // Every state has a driver, and what is on offer every state of its payment.
    for (const [n, target] of present(carried).entries()) await put(target, stateAt(14 * round + n))
    for (const [n, target] of present(offered).entries())
      await put(target, stateAt((2 * round + n + 1) * payouts.length))
    // A list is read in full, and then what has changed in it: all of its rows.
    const { wrong, cursors: next } = await readAll(round % 2 === 1 ? cursors : new Map())
    cursors = next
    expect(wrong).toEqual([])
  })

  test('every state was read by a sender or guest, a driver and an admin; an offer in each that is on offer', () => {
    const missing = states.flatMap((state) =>
      (['sender', 'driver', 'admin'] as const)
        .filter((reader) => !met.has(`${reader} ${JSON.stringify(state)}`))
        .map((reader) => [reader, state]),
    )
    expect(missing).toEqual([])
    expect([...met].some((each) => each.startsWith('offer'))).toBe(true)
  })
})
