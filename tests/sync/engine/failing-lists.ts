import { expect } from 'vitest'
import * as queries from '#store/queries/queries.ts'
import { waysToFail } from '../../helpers/device/failures.ts'
import type { phoneOfTest } from '../../helpers/device/phone-of-test.ts'
import { viewers } from '../../helpers/device/simulated-phone.ts'

const minute = 60_000

/** Every list of every kind of viewer. */
export const everyList = Object.entries(viewers).flatMap(([viewer, { lists }]) =>
  Object.entries(lists).map(([list, path]) => ({ viewer, list, path })),
)

type OpenPhone = ReturnType<typeof phoneOfTest>

/** A phone on which one list has just begun to fail, and the person has come back to it. */
async function failingPhone(openPhone: OpenPhone, viewer: string, path: string, way: string) {
  const phone = await openPhone(viewer)
  phone.answerWith(path, waysToFail[way] ?? Response.error)
  void phone.engine.wake()
  return { phone, from: phone.time.now() }
}

/** For a minute one list alone fails: it is asked for seldom, the others as always, and then it is back. */
export async function expectOthersUnharmed(
  openPhone: OpenPhone,
  { viewer, path, way }: { viewer: string; path: string; way: string },
): Promise<void> {
  const { phone, from } = await failingPhone(openPhone, viewer, path, way)
  await phone.time.pass(minute)
  const counts = phone.countsSince(from)
  expect(counts[path]).toBeGreaterThanOrEqual(2)
  expect(counts[path]).toBeLessThanOrEqual(12)
  for (const [list, other] of Object.entries(phone.lists)) {
    if (other === path) continue
    expect([list, counts[other]]).toEqual([list, ownPace(list)])
  }
  expect((await queries.syncStatus(phone.db)).reachable).toBe(true)
  const ended = phone.time.now()
  phone.recover()
  await phone.time.pass(10_000)
  expect(phone.countsSince(ended)[path] ?? 0).toBeGreaterThanOrEqual(1)
}

/** How often a list is asked for in a minute that begins with a look at it. */
function ownPace(list: string): unknown {
  if (['zones', 'items', 'config'].includes(list)) return 1
  return /^(sent|jobs|available|delivery:)/.test(list) ? 7 : expect.toBeOneOf([2, 3])
}

/** For an hour one list of a guest fails; a guest's few lists make an hour short. */
export async function expectFewRequests(
  openPhone: OpenPhone,
  { path, way }: { path: string; way: string },
): Promise<void> {
  const { phone, from } = await failingPhone(openPhone, 'guest', path, way)
  await phone.time.pass(60 * minute)
  expect(phone.countsSince(from)[path]).toBeLessThanOrEqual(40)
  expect(phone.countsSince(from)[path]).toBeGreaterThanOrEqual(10)
}

/** For a minute every list of a driver fails, and all are back within ten seconds. */
export async function expectAllBack(openPhone: OpenPhone, way: string): Promise<void> {
  const phone = await openPhone('driver')
  const paths = Object.values(phone.lists)
  for (const path of paths) phone.answerWith(path, waysToFail[way] ?? Response.error)
  const from = phone.time.now()
  void phone.engine.wake()
  await phone.time.pass(minute)
  const counts = phone.countsSince(from)
  for (const path of paths) expect([path, counts[path] ?? 0]).toEqual([path, atMost(12)])
  const isSilent = /^(cut|never|answered by a portal|redirected|refused by a gateway)/.test(way)
  expect((await queries.syncStatus(phone.db)).reachable).toBe(!isSilent)
  phone.recover()
  await phone.time.pass(10_000)
  expect((await queries.syncStatus(phone.db)).reachable).toBe(true)
  const back = phone.countsSince(from + minute)
  for (const path of paths) expect([path, back[path] ?? 0]).toEqual([path, atLeast(1)])
}

const atMost = (most: number) => expect.toSatisfy((count: number) => count <= most)
const atLeast = (least: number) => expect.toSatisfy((count: number) => count >= least)
