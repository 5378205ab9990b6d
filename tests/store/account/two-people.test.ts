import { beforeEach, describe, expect, test } from 'vitest'
import { Refused } from '#contract/wire-errors.ts'
import { expireSession } from '#store/account/expire.ts'
import { signIn as logIn, signOut } from '#store/account/sign-in.ts'
import { enqueueEntries } from '#store/deliveries/projection.ts'
import { loadLazy } from '#store/load-lazy.ts'
import { sendModel } from '#store/model/requests.ts'
import { pullList } from '#store/pull/pull.ts'
import { drain } from '#sync/push/sender.ts'
import { contextOf, deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'

const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
let device: ReturnType<typeof createDevice>
const place = () => ({ db: device.db, clock: { now: () => 1 }, cachePrefix: '' })
const session = () => device.db.sessions.get('current')

beforeEach(async () => {
  device = createDevice()
  await signIn(device.db, person('ama', 'user'))
})

/** A delivery of theirs that the server has. */
const pulled = (status: 'Delivered' | 'Approved') =>
  saveRows(device.db, 'ama', [deliveryOf('d1', { sender: ama, status })])

const cancelOf = (account: string) => ({
  id: `cancel of ${account}`,
  account,
  op: 'cancelDelivery' as const,
  lane: 'd2',
  input: { id: 'd2' },
  title: 'Laptop',
  occurredAt: '2026-11-21T10:00:00.000Z',
})
const queueFor = (account: string) =>
  device.db.transaction('rw', device.db.tables, async () =>
    enqueueEntries(device.db, [cancelOf(account)]),
  )

describe('S14: a token the server no longer takes', () => {
  const others: [string, string, string][] = [
    ['another person’s', 'kofi', 'token-of-kofi'],
    ['another person’s, whose ID came with it,', 'kofi', 'token-of-ama'],
    ['an earlier one of the same person', 'ama', 'token of yesterday'],
  ]
  test.each(others)('%s ends nothing, with something unsent or not', async (_, account, token) => {
    await pulled('Delivered')
    for (const unsent of [false, true]) {
      if (unsent) await device.commands.approveDelivery('d1')
      const before = await session()
      await expireSession(place(), account, token)
      expect(await session()).toEqual(before)
      expect(await device.db.deliveries.get(['ama', 'd1'])).toMatchObject({ known: true })
    }
  })

  test('signs its person out where nothing is unsent, else waits for their login', async () => {
    await pulled('Delivered')
    await device.commands.approveDelivery('d1')
    await expireSession(place(), 'ama', 'token-of-ama')
    expect(await session()).toMatchObject({ account: 'ama', expired: true })
    await device.db.outbox.clear()
    await expireSession(place(), 'ama', 'token-of-ama')
    expect(await session()).toBeUndefined()
  })

  test('in answer to an entry, after another person has logged in, ends no session', async () => {
    await queueFor('ama')
    const kofi = {
      key: 'current',
      account: 'kofi',
      token: 'new',
      user: person('kofi', 'user'),
    } as const
    const cancelDelivery = async () => {
      await device.db.sessions.put(kofi)
      throw new Refused(401, 'no-session', 'Session Expired')
    }
    const model = { ...sendModel, requests: { cancelDelivery }, batch: undefined }
    await drain(contextOf(device.db, fetch), model)
    expect(await session()).toEqual(kofi)
    expect((await device.db.outbox.toArray())[0]).toMatchObject({ state: 'waiting', attempts: 0 })
  })

  test.each(['kofi', 'ama'])(
    'in answer to a list, after a login of %s, ends no session',
    async (id) => {
      const next = person(id, 'user')
      const context = contextOf(device.db, async () => {
        await device.db.sessions.put({ key: 'current', account: id, token: 'new', user: next })
        return Response.json({ error: 'Session Expired', reason: 'no-session' }, { status: 401 })
      })
      await pullList(context, { kind: 'sent' }, loadLazy)
      expect(await session()).toEqual({ key: 'current', account: id, token: 'new', user: next })
    },
  )
})

describe('S38: a logout', () => {
  const states = [
    { state: 'waiting' },
    { state: 'sending', left: true },
    { state: 'retrying', left: true },
    { state: 'parked', left: true },
    { state: 'refused' },
  ] as const

  test.each(states)(
    'that discards leaves nothing $state that would be sent later',
    async (about) => {
      await pulled('Approved')
      await device.commands.requestDelivery(await filledDraft(device.commands), 'account')
      await device.commands.saveDraft(await filledDraft(device.commands))
      await device.db.outbox.toCollection().modify({ ...about })
      await signOut(place(), 'ama', { unsent: 'discard' })
      expect(await device.db.drafts.count()).toBe(0)
      await logIn(place(), person('ama', 'user'), 'new')
      expect(await device.db.outbox.count()).toBe(0)
      expect(await device.db.deliveries.count()).toBe(0)
      expect(await device.db.photos.count()).toBe(0)
    },
  )

  test.each(states)(
    'that keeps leaves what is $state, with its photo, for their next login',
    async (about) => {
      await pulled('Approved')
      const draft = await filledDraft(device.commands)
      const id = await device.commands.requestDelivery(draft, 'account')
      await device.db.outbox.toCollection().modify({ ...about })
      await signOut(place(), 'ama')
      expect(await device.db.outbox.count()).toBe(2)
      expect(await device.db.photos.get(draft.photo ?? '')).toBeDefined()
      expect(await device.db.deliveries.get(['ama', 'd1'])).toBeUndefined()
      await logIn(place(), person('ama', 'user'), 'new')
      expect(await device.db.deliveries.get(['ama', id])).toMatchObject({ known: false })
    },
  )

  test('touches nothing of a guest’s or another person’s', async () => {
    await device.commands.requestDelivery(await filledDraft(device.commands), 'guest')
    await queueFor('kofi')
    const before = await device.db.outbox.toArray()
    await signOut(place(), 'ama', { unsent: 'discard' })
    expect(await device.db.outbox.toArray()).toEqual(before)
    expect(await device.db.photos.count()).toBe(1)
    await signOut(place(), 'kofi', { unsent: 'discard' })
    expect((await device.db.outbox.toArray()).map(({ account }) => account)).toEqual([
      'guest',
      'guest',
    ])
  })
})
