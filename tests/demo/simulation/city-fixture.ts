import { expect } from 'vitest'
import { call } from '#contract/calls/call.ts'
import { demoPassword, personas } from '#demo/simulation/personas.ts'
import { seededNumbers } from '#demo/simulation/random.ts'
import { type SimulationOptions, startSimulation } from '#demo/simulation/run.ts'
import { seedCity } from '#demo/simulation/seed/seed.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { toPesewas } from '#domain/money.ts'
import { createServer } from '#server/app.ts'
import type { Repo } from '#server/ports/repo.ts'
import { present } from '../../helpers/server/server.ts'
import { portsOver, repos } from './fixture.ts'

const begin = '2026-11-21T10:00:00.000Z'

const closing: (() => Promise<void>)[] = []
/** Closes this after the test. */
export const closeLater = (close: () => Promise<void>) => void closing.push(close)
export async function closeAll() {
  for (const close of closing.splice(0).reverse()) await close()
}

type Ask = <O extends Parameters<typeof call>[2]>(
  op: O,
  question: Parameters<typeof call>[3],
) => ReturnType<typeof call<O>>

/** The demo's city, in which time passes only by `simulate`. */
export async function openTestCity(open = repos[0]) {
  const { repo, drop } = await present(open)[1]()
  closeLater(drop)
  const fixture = await portsOver(repo, begin)
  await seedCity(fixture.ports)
  const server = createServer(fixture.ports)
  closeLater(() => server.close())
  const ask: Ask = (op, question) =>
    call((request) => server.fetch(request), 'https://soma.test/api', op, question)
  const { clock } = fixture.ports

  /** Runs the simulation for so many milliseconds of the city's clock, without waiting. */
  async function simulate(length: number, options: Partial<SimulationOptions> = {}) {
    const end = clock() + length
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const stop = startSimulation({
      ports: fixture.ports,
      random: seededNumbers(5),
      visitorWaits: () => false,
      async pause(milliseconds, signal) {
        fixture.advance(milliseconds)
        if (clock() < end) return
        finish()
        await new Promise((aborted) => signal.addEventListener('abort', aborted))
      },
      ...options,
    })
    await finished
    await stop()
  }

  async function logIn(key: 'sender' | 'driver' | 'admin') {
    const { email } = personas[key]
    const { value } = await ask('login', { body: { email, password: demoPassword } })
    return present(value).token
  }

  const deliveries = async () =>
    (await repo.read((stores) => stores.deliveries.list({ of: 'everyone' }, { limit: 1_000 }))).rows
  const delivery = async (id: string) =>
    present(await repo.read((stores) => stores.deliveries.get(id)))
  return { ...fixture, repo, ask, simulate, logIn, deliveries, delivery }
}

/** R40, R41: every transfer sums to zero, and finished deliveries hold no money. */
export async function expectBalancedLedger(repo: Repo, deliveries: Delivery[]) {
  await repo.read(async ({ ledger }) => {
    for (const { ID, status, offer } of deliveries) {
      const end =
        status === 'Approved' ? ['payout', 'release'] : status === 'Cancelled' ? ['refund'] : []
      const transfers = await ledger.of(ID)
      expect(transfers.map(({ kind }) => kind).sort()).toEqual(['hold', ...end])
      for (const { entries } of transfers)
        expect(entries.reduce((sum, { pesewas }) => sum + pesewas, 0)).toBe(0)
      expect(await ledger.balance(`promised:${ID}`)).toBe(end.length ? 0 : toPesewas(offer))
    }
  })
}

/** `navigator.locks` for one name: requests get the lock in their order. */
export function oneLock(): Pick<LockManager, 'request'> {
  let held: Promise<unknown> = Promise.resolve()
  const request = (_: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) => {
    const own = held.then(() => (signal.aborted ? Promise.reject(signal.reason) : work()))
    held = own.catch(() => undefined)
    return own
  }
  return { request } as Pick<LockManager, 'request'>
}
