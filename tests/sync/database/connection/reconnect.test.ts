import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { forceCloseDatabase } from 'fake-indexeddb'
import { afterEach, expect, test } from 'vitest'
import { followLive } from '#store/queries/live/follow-live.ts'
import { outboxSummary } from '#store/queries/queries.ts'
import { filledDraft } from '../../../helpers/device/device.ts'
import type { Phone } from '../../../helpers/device/phone.ts'
import { createTimerClock } from '../../../helpers/device/timer-clock.ts'
import { untilIdle } from '../../../helpers/device/until-idle.ts'
import { serverOfFile } from '../../server-fixture.ts'

/* iPhones lose the process that holds the databases; for some seconds none can be opened. */

const { network, server, startedPhone } = serverOfFile()

const working = Dexie.dependencies.indexedDB
afterEach(() => {
  Dexie.dependencies.indexedDB = working
})

const serverLost = () =>
  new DOMException('Connection to Indexed Database server lost.', 'UnknownError')

/** From now on every attempt to open a database fails, as Safari fails it. Returns how often it was tried. */
function breakOpening(): () => number {
  let tries = 0
  const open = () => {
    tries++
    const request = {
      error: serverLost(),
      onerror: (_: object) => {},
    }
    queueMicrotask(() => request.onerror({ target: request, preventDefault: () => {} }))
    return request
  }
  Dexie.dependencies.indexedDB = Object.assign(Object.create(working), { open })
  return () => tries
}

const losses: Record<string, (db: Dexie) => void> = {
  'is closed by force': (db) => forceCloseDatabase(db.backendDB() as never),
  'refuses transactions': (db) => db.backendDB().close(),
  'aborts transactions': (db) => {
    const aborted = db.transaction('r', db.tables, async ({ idbtrans }) => {
      idbtrans.abort()
      Object.defineProperty(idbtrans, 'error', { value: serverLost() })
    })
    aborted.catch(() => {})
  },
}

/** Lets milliseconds pass on the phone's clock, and all that they cause. */
async function passOn(clock: ReturnType<typeof createTimerClock>, ms: number) {
  for (let left = ms; left > 0; left -= 1_000) {
    clock.pass(1_000)
    await untilIdle(network())
  }
}

const lostOf = ({ db }: Phone) => {
  const told: boolean[] = []
  db.followLost((isLost) => told.push(isLost))
  return told
}

test.each(Object.keys(losses))(
  'S84: a database that %s and cannot be opened for six seconds goes on by itself',
  async (loss) => {
    const clock = createTimerClock()
    const phone = await startedPhone({ clock })
    await untilIdle(network())
    const draft = await filledDraft(phone.commands)
    const seen: number[] = []
    const stop = followLive(() => outboxSummary(phone.db), {
      next: ({ unsent }) => seen.push(unsent),
      error: (error) => seen.push(Number.NaN, error as never),
    })
    await expect.poll(() => seen).toEqual([0])
    const told = lostOf(phone)

    const tries = breakOpening()
    losses[loss]?.(phone.db)
    // Safari says nothing of the loss until it is asked for something.
    const requested = phone.commands.requestDelivery(draft, 'guest')
    await passOn(clock, 6_000)
    expect(told).toEqual([false, true])
    expect(tries()).toBeGreaterThan(3)
    expect(tries()).toBeLessThan(10)

    Dexie.dependencies.indexedDB = working
    await passOn(clock, 2_000)
    expect(told).toEqual([false, true, false])
    const id = await requested
    await expect.poll(() => seen).toContain(1)
    await phone.settle()
    await expect.poll(() => seen.at(-1)).toBe(0)
    expect(await server().held(id)).toHaveLength(1)
    const creates = await phone.db.outbox.filter(({ op }) => op === 'createGuestDelivery').count()
    expect(creates).toBe(1)
    stop()
  },
)

test('S84: a lost database is opened as soon as the person returns to the page', async () => {
  const clock = createTimerClock()
  const phone = await startedPhone({ clock })
  await untilIdle(network())
  const told = lostOf(phone)
  breakOpening()
  forceCloseDatabase(phone.db.backendDB() as never)
  await passOn(clock, 6_000)
  Dexie.dependencies.indexedDB = working
  phone.resume()
  await untilIdle(network())
  expect(told).toEqual([false, true, false])
})

test('S84: a database that was closed on purpose stays closed', async () => {
  const clock = createTimerClock()
  const phone = await startedPhone({ clock })
  const told = lostOf(phone)
  const tries = breakOpening()
  forceCloseDatabase(phone.db.backendDB() as never)
  phone.db.close()
  const before = tries()
  await passOn(clock, 6_000)
  expect(tries()).toBe(before)
  expect(told.at(-1)).toBe(false)
  expect(phone.db.isOpen()).toBe(false)
})
