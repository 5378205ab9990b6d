import type { User } from '#domain/users/user.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { Clock } from '#sync/platform/context.ts'
import { createSimulatedTime } from '../../sync/model/devices/clock.ts'
import { createRandom } from '../../sync/model/scenario/random.ts'
import { answersFor, ours } from './answers.ts'
import { person, signIn } from './device.ts'
import { createPhone } from './phone.ts'

/** Who looks at which lists, and the path of each. */
export const viewers: Record<string, { user?: User; lists: Record<string, string> }> = {
  driver: {
    user: person('u1', 'driver', { driverStatus: 'approved' }),
    lists: {
      zones: '/zones',
      items: '/items',
      config: '/config',
      me: '/users/me',
      driverStatus: '/driver/status',
      sent: '/sender/deliveries',
      jobs: '/driver/my-deliveries',
      available: '/driver/available-deliveries',
      sessions: '/sessions',
      'delivery:d1': '/deliveries/d1',
    },
  },
  admin: {
    user: person('u2', 'admin'),
    lists: {
      adminStats: '/admin/stats',
      adminTrends: '/admin/trends',
      adminActivities: '/admin/activities',
      'adminDeliveries?limit=10': '/admin/deliveries',
      adminUsers: '/admin/users',
      'adminUser:u1': '/admin/users/u1',
      adminDrivers: '/admin/drivers/with-details',
      adminDisputes: '/admin/disputes',
      'adminDispute:x1': '/admin/disputes/x1',
      adminMoney: '/admin/money',
      adminPayouts: '/admin/payouts',
      adminAudit: '/admin/audit',
    },
  },
  guest: { lists: { 'delivery:d1': '/deliveries/d1' } },
}

/** The list of a key: `kind`, `kind:id` or `kind?query`. */
export const refOf = (key: string) => {
  const [kind = '', id] = key.split(':')
  const [name = '', query] = kind.split('?')
  return { kind: name, id, query }
}

type Answer = (request: Request) => Promise<Response> | Response

type About = {
  seed?: number
  /** What is stored before the app is opened. */
  prepare?: (db: SomaDb, now: number) => unknown
  /** The lists that are looked at; all of the viewer's if left out. */
  only?: string[]
}

/**
 * A phone in simulated time whose server answers each read with one row; `failing` are the paths that
 * are answered otherwise. There is no event stream.
 */
export async function createSimulatedPhone(
  viewer: keyof typeof viewers,
  { seed = 1, prepare, only }: About = {},
) {
  const { user, lists: all } = viewers[viewer] ?? { lists: {} }
  const lists = Object.fromEntries(
    Object.entries(all).filter(([list]) => !only || only.includes(list)),
  )
  const random = createRandom(seed)
  const time = createSimulatedTime(random)
  time.install(false)
  const failing = new Map<string, Answer>()
  const requests: { path: string; query: URLSearchParams; at: number }[] = []
  const release = new Set<(error: Error) => void>()
  const answers = answersFor(user ?? {})
  /** How far the device's clock is off, milliseconds. */
  const device = { skew: 0 }
  const clock: Clock = {
    now: () => time.now() + device.skew,
    monotonic: () => time.now(),
    setTimeout: (work, delay) => time.setTimer(work, delay),
    clearTimeout: (timer) => time.clearTimer(timer as Parameters<typeof time.clearTimer>[0]),
  }

  async function transport(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const path = pathname.slice('/api'.length)
    requests.push({ path, query: searchParams, at: time.now() })
    const answer = failing.get(path)
    if (!answer) return answered(path)
    const given = Promise.resolve(answer(request))
    // What hangs breaks off when the failure ends.
    const broken = new Promise<Response>((_, reject) => release.add(reject))
    broken.catch(() => {})
    return Promise.race([given, broken])
  }

  const answered = (path: string) => {
    const body = answers[path]
    return body ? ours(body) : ours({ error: 'None', reason: 'not-found' }, 404)
  }

  const phone = createPhone(
    { transport, isCut: () => false } as unknown as Parameters<typeof createPhone>[0],
    { clock, random: random.fraction },
  )
  await prepare?.(phone.db, time.now())
  await time.whileBusy(() => phone.start())
  if (user) await signIn(phone.db, user)
  else await becomeGuest()
  for (const key of Object.keys(lists)) phone.engine.watch(refOf(key))
  await time.pass(1_000)

  async function becomeGuest() {
    const createdAt = new Date(time.now()).toISOString()
    const guest = { id: 'd1', senderName: 'Ama', senderPhone: '0244000000', createdAt }
    await phone.db.guests.put({ ...guest, guestToken: 'guest-token' })
  }

  return {
    ...phone,
    time,
    device,
    requests,
    answers,
    /** Lists that are watched, with their paths. */
    lists,
    answerWith: (path: string, answer: Answer) => failing.set(path, answer),
    recover: () => {
      failing.clear()
      for (const reject of release) reject(new TypeError('Broken off'))
      release.clear()
    },
    /** How often each path was asked for since `from`. */
    countsSince: (from: number): Record<string, number> => {
      const counts: Record<string, number> = {}
      for (const { path, at } of requests) if (at >= from) counts[path] = (counts[path] ?? 0) + 1
      return counts
    },
    end: async () => {
      const stopped = phone.engine.stop()
      for (const reject of release) reject(new TypeError('Broken off'))
      await time.rest()
      await stopped
      phone.db.close()
      time.restore()
    },
  }
}
