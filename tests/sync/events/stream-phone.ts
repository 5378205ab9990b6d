import { afterEach, beforeAll, expect } from 'vitest'
import type { Transport } from '#contract/transport.ts'
import { loadLazy } from '#store/load-lazy.ts'
import type { StreamState } from '#sync/database/device/state.ts'
import { createNetwork, createPhone, type Network, type Phone } from '../../helpers/device/phone.ts'
import { createTimerClock, type TimerClock } from '../../helpers/device/timer-clock.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'

/** Milliseconds. */
const step = 5_000

export type StreamPhone = ReturnType<typeof streamPhone>

/** `beside`: the tab whose phone, network and clock it shares. */
type More = Parameters<typeof createPhone>[1] & {
  beside?: { phone: Phone; network: Network; clock: TimerClock }
}

/** Opens phones that hear events by a real stream; each ends with its test. Call it at the top of the file. */
export function streamPhonesOfFile() {
  const opened: Phone[] = []
  // Loaded beforehand, as by a page that has been open for a while: a phone is idle only when nothing is loading.
  beforeAll(async () => void (await loadLazy()))
  afterEach(async () => {
    for (const phone of opened.splice(0)) await phone.kill()
  })
  return (transport: Transport, more: More = {}) => {
    const made = streamPhone(transport, more)
    opened.push(made.phone)
    return made
  }
}

/** A phone on a clock that the test moves. */
function streamPhone(transport: Transport, { beside, ...more }: More) {
  const network = beside?.network ?? createNetwork(transport)
  const clock = beside?.clock ?? createTimerClock()
  const phone = createPhone(network, { clock, dbName: beside?.phone.db.name, ...more })
  for (const [key, value] of beside?.phone.storage ?? []) phone.storage.set(key, value)
  const state = async () => (await phone.db.meta.get('stream'))?.value as StreamState | undefined
  return {
    phone,
    network,
    clock,
    state,
    /** Resolves once the stream is open, for this account if one is given. */
    isOpen: (account?: string) =>
      expect
        .poll(state)
        .toMatchObject({ open: true, ...(account === undefined ? {} : { account }) }),
    isClosed: () => expect.poll(async () => (await state())?.open ?? false).toBe(false),
    /** Lets the phone end what it is at, then so many milliseconds pass, five seconds at a time, and what falls due then. */
    async letPass(ms: number) {
      for (let left = ms; left > 0; left -= step) {
        await untilIdle(network)
        clock.pass(Math.min(left, step))
      }
      await untilIdle(network)
    },
    /** Resolves once the stream has brought a change after `work`. */
    async hears<T>(work: () => Promise<T>): Promise<T> {
      const before = (await state())?.last ?? 0
      const done = await work()
      await expect.poll(async () => (await state())?.last).toBeGreaterThan(before)
      return done
    },
  }
}
