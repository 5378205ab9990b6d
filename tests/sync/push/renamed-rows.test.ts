import { beforeEach, describe, expect, test } from 'vitest'
import { Unreachable } from '#contract/wire-errors.ts'
import { enqueueEntries } from '#store/deliveries/projection.ts'
import { sendModel } from '#store/model/requests.ts'
import type { SendRequest } from '#sync/model.ts'
import { drain } from '#sync/push/sender.ts'
import { contextOf, deliveryOf } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
const occurredAt = '2026-11-21T10:00:00.000Z'
const request = {
  itemDescription: 'Laptop',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  recipientName: 'Abena',
  recipientPhone: '0244123456',
  offer: 60,
  photo: 'p1',
}
let device: ReturnType<typeof createDevice>
let sent: string[]
/** Nobody answers these. */
let silent: string[]
/** Milliseconds for an answer, by lane. */
let slow: Record<string, number>
beforeEach(async () => {
  slow = {}
  device = createDevice()
  await signIn(device.db, person('ama', 'user'))
  sent = []
  silent = []
})

/** A backend that calls the first row `server-1`, and so on. */
const answered =
  (account: string): SendRequest =>
  async (_, { op, lane, account: owner }, { id, token }) => {
    expect(owner).toBe(account)
    sent.push(`${op} ${id} in ${lane} with ${token}`)
    await new Promise((resolve) => setTimeout(resolve, slow[lane] ?? 0))
    if (silent.includes(op)) throw new Unreachable('No answer')
    const isCreate = op === 'createDelivery' || op === 'createGuestDelivery'
    const server = isCreate ? `server-${lane}` : id
    const isGuest = account === 'guest'
    const row = deliveryOf(server, isGuest ? { isGuestDelivery: true } : { sender: ama })
    const guest = { token: 'guest-token', createdAt: row.createdAt }
    return {
      rows: op === 'reportIssue' ? [] : [row],
      id: isCreate ? server : undefined,
      staleLists: [],
      bytes: 1,
      details: isGuest && isCreate ? { guest } : undefined,
    }
  }

async function send(account: string) {
  const requests = Object.fromEntries(
    Object.keys(sendModel.requests).map((op) => [op, answered(account)]),
  )
  const model = { ...sendModel, requests, batch: undefined, probe: undefined }
  return drain(contextOf(device.db, fetch), model)
}

const enqueue = (...entries: object[]) =>
  device.db.transaction('rw', device.db.tables, async () =>
    enqueueEntries(
      device.db,
      entries.map((entry) => ({ title: 'Laptop', occurredAt, ...entry }) as never),
    ),
  )

const steps = (account: string, lane: string) => [
  { id: `cancel ${lane}`, account, op: 'cancelDelivery', lane, input: { id: lane } },
  {
    id: `report ${lane}`,
    account,
    op: 'reportIssue',
    lane: `issue:${lane}`,
    input: { id: lane, issue: 'Late', type: 'sender_issue' },
    after: [`create ${lane}`],
  },
]

const create = (lane: string) => ({
  id: `create ${lane}`,
  account: 'ama',
  op: 'createDelivery',
  lane,
  input: request,
})

describe('S19: a backend that hands out IDs of its own', () => {
  test('gets what waits for the row under the row’s new ID, in the same drain', async () => {
    await enqueue(create('x'), ...steps('ama', 'x'))
    await send('ama')
    expect(sent[0]).toBe('createDelivery x in x with token-of-ama')
    expect(sent.slice(1).sort()).toEqual([
      'cancelDelivery server-x in server-x with token-of-ama',
      'reportIssue server-x in issue:x with token-of-ama',
    ])
    const states = (await device.db.outbox.toArray()).map(({ state }) => state)
    expect(states).toEqual(['done', 'done', 'done'])
  })

  test('gets what waits for the row once, though others are answered meanwhile (S3)', async () => {
    slow = { y: 60, z: 90, 'server-x': 250 }
    await enqueue(create('x'), create('y'), create('z'), ...steps('ama', 'x'))
    await send('ama')
    const cancels = sent.filter((each) => each.startsWith('cancelDelivery'))
    expect(cancels).toEqual(['cancelDelivery server-x in server-x with token-of-ama'])
  })

  test('the row follows with what is pending on it, and two rows keep apart', async () => {
    await enqueue(create('x'), create('y'), ...steps('ama', 'x'))
    silent = ['cancelDelivery', 'reportIssue']
    await send('ama')
    const rows = await device.db.deliveries.toArray()
    expect(rows.map(({ ID, view, marks }) => [ID, view.status, marks.length])).toEqual([
      ['server-x', 'Cancelled', 1],
      ['server-y', 'Pending', 0],
    ])
    expect(await device.db.aliases.toArray()).toEqual([
      { account: 'ama', local: 'x', server: 'server-x' },
      { account: 'ama', local: 'y', server: 'server-y' },
    ])
    // Entries made when the row had its old name stand in the lane of the new one.
    const lanes = (await device.db.outbox.orderBy('seq').toArray()).map(({ lane }) => lane)
    expect(lanes).toEqual(['server-x', 'server-y', 'server-x', 'issue:x'])
  })

  test('a guest’s record follows the row, with the token that comes with it', async () => {
    await device.db.guests.put({
      id: 'g',
      senderPhone: '0244999999',
      createdAt: occurredAt,
    } as never)
    const guest = { senderName: 'Ama', senderPhone: '0244999999', guestSecret: 's' }
    const input = { ...request, ...guest }
    const made = { ...create('g'), account: 'guest', op: 'createGuestDelivery', input }
    await enqueue(made, ...steps('guest', 'g'))
    await send('guest')
    expect(sent.slice(1).sort()).toEqual([
      'cancelDelivery server-g in server-g with guest-token',
      'reportIssue server-g in issue:g with guest-token',
    ])
    expect(await device.db.guests.get('g')).toBeUndefined()
    expect(await device.db.guests.get('server-g')).toMatchObject({ guestToken: 'guest-token' })
  })
})
