import { expect, test } from 'vitest'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import type { User } from '#domain/users/user.ts'
import * as lists from '#store/queries/lists.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/present.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, driverPhone } = serverOfFile()

const hour = 3_600_000
const day = 24 * hour

/** Jobs of a driver as a server has them, newest first, one an hour; all ended but those `underWay`. */
async function jobsOf({ ID, name }: User, count: number, underWay: Record<number, Status> = {}) {
  const made = await server().delivery(await server().sender())
  const newest = Date.now() - hour
  return Array.from({ length: count }, (_, index): Delivery => {
    const createdAt = new Date(newest - index * (hour / 10)).toISOString()
    return {
      ...made,
      ID: `00000000-0000-4000-8000-${`${count - index}`.padStart(12, '0')}`,
      status: underWay[index] ?? 'Approved',
      driver: { id: ID, name },
      createdAt,
      updatedAt: createdAt,
    }
  })
}

type Served = {
  all: Delivery[]
  date?: number
  changed: Delivery[]
  removed: string[]
  cursor: string
}

/** Answers the driver's list as our server does; `asked` holds the queries. */
function serve(served: Served, broken: () => Response | undefined = () => undefined) {
  const asked: URLSearchParams[] = []
  network().setConditions(({ url }) => {
    const { pathname, searchParams: query } = new URL(url)
    if (pathname !== '/api/driver/my-deliveries') return 'fine'
    asked.push(query)
    const fault = broken()
    if (fault) return fault
    const { cursor, removed } = served
    const headers = served.date ? { date: new Date(served.date).toUTCString() } : undefined
    if (query.get('since') === cursor && !query.has('after'))
      return Response.json({ deliveries: served.changed, removed, cursor }, { headers })
    const statuses = query.get('status')?.split(',')
    const of = served.all.filter(({ status }) => !statuses || statuses.includes(status))
    const after = query.get('after')
    const from = after ? of.findIndex(({ ID }) => ID === after) + 1 : 0
    const page = of.slice(from, from + Number(query.get('limit') ?? 100))
    const next = from + page.length < of.length ? page.at(-1)?.ID : undefined
    return Response.json({ deliveries: page, cursor, next }, { headers })
  })
  return asked
}

/** An answer whose body comes once `until` has ended. */
const lateAnswer = (body: unknown, until: Promise<unknown>) =>
  new Response(
    new ReadableStream({
      async start(controller) {
        await until
        controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
        controller.close()
      },
    }),
    { headers: { 'content-type': 'application/json' } },
  )

const idsOf = (rows: readonly { ID: string }[]) => rows.map(({ ID }) => ID)
const held = async (phone: Phone) => idsOf(await lists.jobs(phone.db, 30_000))
const older = async (phone: Phone) => (await lists.pulled(phone.db, 'jobs'))?.older

async function phoneWith(count: number, underWay: Record<number, Status> = {}) {
  const served: Served = { all: [], changed: [], removed: [], cursor: 'c1' }
  const phone = await driverPhone()
  await phone.settle()
  const user = present((await phone.db.sessions.get('current'))?.user)
  served.all = await jobsOf(user, count, underWay)
  await phone.db.pulls.clear()
  return { phone, served }
}

test.for([200, 201, 401])(
  'S50: of %i jobs the newest 200 and what is under way come first, the rest page by page',
  async (count) => {
    const last = count - 1
    const { phone, served } = await phoneWith(count, count > 200 ? { [last]: 'Delivered' } : {})
    const asked = serve(served)
    await phone.engine.refresh({ kind: 'jobs' })
    const newest = idsOf(served.all.slice(0, 200))
    expect(await held(phone)).toEqual(
      count > 200 ? [...newest, served.all[last]?.ID ?? ''] : newest,
    )
    expect(asked).toHaveLength(count > 200 ? 2 : 1)
    expect((await older(phone)) !== undefined).toBe(count > 200)
    const pages = Math.min(3, Math.ceil(count / 200))
    for (let page = 1; page < pages; page++) {
      expect(await phone.pullOlder({ kind: 'jobs' })).toBe('done')
      const shown = idsOf(served.all.slice(0, (page + 1) * 200))
      expect((await held(phone)).slice(0, shown.length)).toEqual(shown)
    }
    if (count <= 400) expect(await older(phone)).toBeUndefined()
  },
)

test('S50: what left is missing only of the part that was asked for, page by page (S36)', async () => {
  const { phone, served } = await phoneWith(420)
  serve(served)
  await phone.engine.refresh({ kind: 'jobs' })
  await phone.pullOlder({ kind: 'jobs' })
  const whole = idsOf(served.all)
  expect(await held(phone)).toEqual(whole.slice(0, 400))
  // The cursor has expired: the next answer is in full again.
  served.cursor = 'c2'
  served.all = served.all.filter((_, index) => index !== 10 && index !== 300)
  await phone.engine.refresh({ kind: 'jobs' })
  const without = (...left: number[]) =>
    whole.slice(0, 400).filter((_, index) => !left.includes(index))
  expect(await held(phone)).toEqual(without(10))
  await phone.pullOlder({ kind: 'jobs' })
  expect((await held(phone)).slice(0, 398)).toEqual(without(10, 300))
})

test('S50: an old job that is under way no longer leaves with an answer in full, one that is stays', async () => {
  const { phone, served } = await phoneWith(230, { 215: 'Picked Up', 225: 'Delivered' })
  serve(served)
  await phone.engine.refresh({ kind: 'jobs' })
  const [ended, going] = [served.all[215]?.ID ?? '', served.all[225]?.ID ?? '']
  expect((await held(phone)).slice(200)).toEqual([ended, going])
  served.cursor = 'c2'
  served.all[215] = { ...(served.all[215] as Delivery), status: 'Cancelled' }
  await phone.engine.refresh({ kind: 'jobs' })
  expect((await held(phone)).slice(200)).toEqual([going])
})

test('S50: a page that was asked for before a delta came is asked for again', async () => {
  const { phone, served } = await phoneWith(300)
  serve(served)
  await phone.engine.refresh({ kind: 'jobs' })
  const taken = served.all[250]?.ID ?? ''
  let pages = 0
  network().setConditions(({ url }) => {
    if (!url.includes('my-deliveries')) return 'fine'
    if (!new URL(url).searchParams.has('after'))
      return Response.json({ deliveries: [], removed: [taken], cursor: 'c2' })
    const page = served.all.slice(200, 400)
    if (pages++ === 0)
      return lateAnswer(
        { deliveries: page, cursor: 'c1', next: 'n' },
        phone.engine.refresh({ kind: 'jobs' }),
      )
    const deliveries = page.filter(({ ID }) => ID !== taken)
    return Response.json({ deliveries, cursor: 'c2', next: 'n' })
  })
  expect(await phone.pullOlder({ kind: 'jobs' })).toBe('done')
  expect(pages).toBe(2)
  expect(await held(phone)).not.toContain(taken)
})

test('S50: an older page that fails takes nothing away and can be asked for again', async () => {
  const { phone, served } = await phoneWith(250)
  const answers = {
    refused: () => Response.json({ error: 'No', reason: 'invalid' }, { status: 400 }),
    unreachable: () => new Response('<html>', { status: 404 }),
    busy: () => Response.json({ error: 'Busy', reason: 'unavailable' }, { status: 503 }),
  }
  let broken: () => Response | undefined = () => undefined
  serve(served, () => broken())
  await phone.engine.refresh({ kind: 'jobs' })
  for (const [way, answer] of Object.entries(answers)) {
    broken = answer
    expect([way, await phone.pullOlder({ kind: 'jobs' })]).not.toEqual([way, 'done'])
    expect([way, (await held(phone)).length]).toEqual([way, 200])
  }
  broken = () => undefined
  expect(await phone.pullOlder({ kind: 'jobs' })).toBe('done')
  expect(await held(phone)).toHaveLength(250)
})

/** Of these jobs the last five ended more than 90 days ago, one of the five is under way still. */
async function withOldJobs() {
  const { phone, served } = await phoneWith(20, { 17: 'Delivered' })
  served.all = served.all.map((each, index) => {
    const at = new Date(Date.parse(each.createdAt) - (index < 15 ? 0 : 91 * day)).toISOString()
    return { ...each, createdAt: at, updatedAt: at }
  })
  const ids = idsOf(served.all)
  return { phone, served, ids, recent: ids.filter((_, index) => index < 15 || index === 17) }
}

test('S50: ended jobs leave 90 days later by the server’s time, and come back when scrolled to', async () => {
  const { phone, served, ids, recent } = await withOldJobs()
  served.date = Date.now()
  serve(served)
  await phone.engine.refresh({ kind: 'jobs' })
  expect(await held(phone)).toEqual(recent)
  await phone.pullOlder({ kind: 'jobs' })
  expect(await held(phone)).toEqual(ids)
  expect(await older(phone)).toBeUndefined()
  // They stay while they were looked for, and leave a day later.
  served.date += 23 * hour
  await phone.engine.refresh({ kind: 'jobs' })
  expect(await held(phone)).toEqual(ids)
  served.date += 2 * hour
  await phone.engine.refresh({ kind: 'jobs' })
  expect(await held(phone)).toEqual(recent)
  expect(await older(phone)).toEqual({})
})

test('S50: a phone whose clock is a year ahead keeps what ended within 90 days of the server’s time', async () => {
  const { phone, served, recent } = await withOldJobs()
  const now = Date.now
  Date.now = () => now() + 365 * day
  try {
    serve(served)
    await phone.engine.refresh({ kind: 'jobs' })
    // Without a `Date` the newest change that the server named counts.
    expect(await held(phone)).toEqual(recent)
  } finally {
    Date.now = now
  }
})

test('S50: an old delivery that was opened at its address comes back, and stays for a day', async () => {
  const { phone, served, ids, recent } = await withOldJobs()
  served.date = Date.now()
  serve(served)
  await phone.engine.refresh({ kind: 'jobs' })
  const opened = served.all[16] as Delivery
  const given = network()
  const { date } = served
  given.setConditions(({ url }) => {
    const headers = { date: new Date(date).toUTCString() }
    if (url.endsWith(opened.ID)) return Response.json({ delivery: opened }, { headers })
    if (!url.includes('my-deliveries')) return 'fine'
    return Response.json({ deliveries: [], removed: [], cursor: 'c1' }, { headers })
  })
  const leave = phone.engine.watch({ kind: 'delivery', id: opened.ID })
  await phone.settle()
  leave()
  await phone.engine.refresh({ kind: 'jobs' })
  expect(await held(phone)).toEqual(ids.filter((id) => recent.includes(id) || id === opened.ID))
})
