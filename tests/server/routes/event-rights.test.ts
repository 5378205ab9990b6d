import { expect, test } from 'vitest'
import { type EventReader, type News, readEvents } from '../../helpers/server/event-reader.ts'
import { untilHeard } from '../../helpers/server/heard-events.ts'
import { present } from '../../helpers/server/server.ts'
import { overIndexedDb } from '../both-adapters.ts'

const route = { pickupZone: 'Osu', dropoffZone: 'Tema' }
const onRoute = '?route=Madina%7CCircle&route=Osu%7CTema'
const elsewhere = '?route=Tema%7COsu&route=Osu%7CCircle&route=*%7CMadina'

overIndexedDb((server) => {
  async function open(token: string, query = '', headers: Record<string, string> = {}) {
    const response = await server().raw('GET', `/events${query}`, { token, headers })
    expect(response.status).toBe(200)
    return readEvents(response)
  }

  /** Resolves once every stream has been given, and has read, what was published before. */
  async function settled() {
    await untilHeard(server().repo)
    await new Promise((read) => setImmediate(read))
  }

  /** People of every role, with a stream each, and what each change of a delivery sends them. */
  async function everybody() {
    const [ama, efua, yaw, kojo, abena] = [
      await server().sender(),
      await server().sender(),
      await server().driver(),
      await server().driver(),
      await server().driver(),
    ]
    const pending = await server().verify(await server().signUp('driver'))
    const admin = await server().admin()
    const [guest, otherGuest] = [
      await server().guestDelivery(route),
      await server().guestDelivery({ ...route, dropoffZone: 'Circle' }),
    ]
    const people = { ama, efua, yaw, kojo, abena, pending, admin }
    const streams: Record<string, EventReader> = {
      ama: await open(ama.token, onRoute),
      efua: await open(efua.token),
      yaw: await open(yaw.token, onRoute),
      kojo: await open(kojo.token),
      abena: await open(abena.token, elsewhere),
      'any route': await open(kojo.token, '?route=*%7C*'),
      'any origin': await open(kojo.token, '?route=*%7CTema'),
      // Over the default roads Osu → Tema adds 4 km to it (R164).
      'on the way': await open(kojo.token, '?way=Dansoman%7CTema%7C10'),
      'off the way': await open(kojo.token, '?way=Dansoman%7CTema%7C1&route=Tema%7COsu'),
      'its route beside a way': await open(kojo.token, '?way=Dansoman%7CTema%7C1&way=Osu%7C*'),
      pending: await open(pending.token, onRoute),
      admin: await open(admin.token, onRoute),
      guest: await open(guest.token, onRoute),
      'other guest': await open(otherGuest.token),
    }
    await settled()
    const counts = new Map<string, number>()
    /** What each stream got since the last call, without those that got nothing. */
    async function heard() {
      await settled()
      const found: Record<string, News[]> = {}
      for (const [name, stream] of Object.entries(streams)) {
        const all = stream.news()
        const fresh = all.slice(counts.get(name) ?? 0)
        counts.set(name, all.length)
        if (fresh.length > 0) found[name] = fresh
      }
      return found
    }
    await heard()
    const stop = () => {
      for (const each of Object.values(streams)) each.stop()
    }
    return { ...people, guest, streams, heard, stop }
  }

  const advertOf = async (token: string, id: string) => {
    const { value } = await server().ask('availableDeliveries', { token, query: route })
    return value?.deliveries.find(({ ID }) => ID === id)
  }

  test('R75, R95, R97: each role hears of each change of a delivery what it may, and drivers the advert of their list', async () => {
    const { ama, yaw, kojo, admin, guest, streams, heard, stop } = await everybody()
    const made = await server().delivery(ama, route)
    const change = { about: 'delivery', id: made.ID }
    const offered = async () => ({
      ...change,
      route: ['Osu', 'Tema'],
      job: present(await advertOf(kojo.token, made.ID)),
    })
    const gone = { ...change, route: ['Osu', 'Tema'] }
    const lookers = (news: object) => ({
      kojo: [news],
      'any route': [news],
      'any origin': [news],
      'on the way': [news],
      'its route beside a way': [news],
    })
    const parties = { ama: [change], admin: [change] }
    const advert = await offered()
    expect(await heard()).toEqual({ ...parties, yaw: [advert], ...lookers(advert) })

    const about = { token: yaw.token, id: made.ID }
    await server().ask('acceptDelivery', about)
    expect(await heard()).toEqual({ ...parties, yaw: [change], ...lookers(gone) })

    await server().ask('changeStatus', { ...about, body: { status: 'Picked Up' } })
    expect(await heard()).toEqual({ ...parties, yaw: [change] })
    await server().ask('completeDelivery', { ...about, body: { code: present(made.deliveryCode) } })
    expect(await heard()).toEqual({ ...parties, yaw: [change] })
    const approve = { token: ama.token, id: made.ID, body: { status: 'Approved' as const } }
    await server().ask('changeStatus', approve)
    expect(await heard()).toEqual({ ...parties, yaw: [change] })

    // A guest's delivery, taken by a driver who is then rejected.
    const ofGuest = { about: 'delivery', id: guest.delivery.ID }
    const guestGone = { ...ofGuest, route: ['Osu', 'Tema'] }
    const both = { guest: [ofGuest], admin: [ofGuest] }
    await server().ask('acceptDelivery', { token: yaw.token, id: guest.delivery.ID })
    expect(await heard()).toEqual({ ...both, yaw: [ofGuest], ...lookers(guestGone) })
    const reject = { token: admin.token, id: yaw.user.ID, body: { status: 'rejected' as const } }
    const countOfYaw = () => streams.yaw?.news().length ?? 0
    const before = countOfYaw()
    await server().ask('reviewDriver', reject)
    // What follows the change of an account waits until the account was read again (R96).
    await expect.poll(() => countOfYaw() - before).toBe(2)
    const again = { ...guestGone, job: present(await advertOf(kojo.token, guest.delivery.ID)) }
    const after = await heard()
    expect(after).toMatchObject({ guest: [ofGuest], ...lookers(again) })
    expect(after.yaw).toHaveLength(2)
    expect(after.yaw).toEqual(expect.arrayContaining([{ about: 'me' }, ofGuest]))

    // A driver's own request is no job for them.
    const own = await server().delivery(kojo, route)
    const others = await heard()
    expect([others.kojo, others['any route']]).toEqual([
      [{ about: 'delivery', id: own.ID }],
      [{ about: 'delivery', id: own.ID }],
    ])
    // No code, name or number went to anybody.
    const all = JSON.stringify(Object.values(streams).map(({ messages }) => messages))
    for (const secret of [
      `"${made.deliveryCode}"`,
      `"${guest.delivery.deliveryCode}"`,
      ama.phone,
      ama.user.name,
      guest.phone,
      'Kofi Guest',
      made.recipientPhone,
      made.recipientName,
    ])
      expect(all).not.toContain(present(secret))
    stop()
  }, 30_000)

  test('R96: a driver who is approved or rejected hears of jobs from that change on, and not of one later', async () => {
    const admin = await server().admin()
    const waiting = await server().verify(await server().signUp('driver'))
    // The event of the verification may arrive later; it is none of what the stream is for.
    await settled()
    const stream = await open(waiting.token)
    const review = (status: 'approved' | 'rejected') =>
      server().ask('reviewDriver', { token: admin.token, id: waiting.user.ID, body: { status } })
    const before = await server().guestDelivery(route)
    await review('approved')
    const during = await server().guestDelivery(route)
    // The account is read after the event: rejected at once, the driver would hear of no job.
    await expect.poll(() => stream.news().some(({ job }) => job)).toBe(true)
    await review('rejected')
    const after = await server().guestDelivery(route)
    await settled()
    await expect.poll(() => stream.news().filter(({ about }) => about === 'me')).toHaveLength(2)
    await settled()
    const jobs = stream.news().filter(({ job }) => job)
    expect(jobs.map(({ id }) => id)).toEqual([during.delivery.ID])
    expect(jobs.map(({ id }) => id)).not.toContain(before.delivery.ID)
    expect(JSON.stringify(stream.messages)).not.toContain(after.delivery.ID)
    stream.stop()
  })

  test('R95: at most 50 routes of two zones may be named; others are refused', async () => {
    const { token } = await server().driver()
    for (const query of [
      'route=',
      'route=Osu',
      'route=Osu|',
      'route=|Tema',
      'route=Osu|Tema|Circle',
      `route=${'x'.repeat(201)}|Tema`,
      Array.from({ length: 51 }, () => 'route=*|*').join('&'),
    ]) {
      const answer = await server().raw('GET', `/events?${query.replaceAll('|', '%7C')}`, { token })
      expect([query, answer.status, (await answer.json()).reason]).toEqual([query, 400, 'invalid'])
    }
    const most = Array.from({ length: 50 }, (_, at) => `route=Zone ${at}%7C*`).join('&')
    ;(await open(token, `?${most}`)).stop()
  })

  test('R97: a guest’s stream ends with its token, and a guest has as many as a person', async () => {
    const guest = await server().guestDelivery(route)
    const streams: EventReader[] = []
    for (let n = 0; n < 11; n++) streams.push(await open(guest.token))
    await expect.poll(() => streams.map((each) => each.hasEnded()).indexOf(false)).toBe(1)
    expect(streams.filter((each) => each.hasEnded())).toHaveLength(1)
    for (const each of streams) each.stop()
    const refused = await server().raw('GET', '/events', { token: `${guest.token}x` })
    expect(refused.status).toBe(401)
  })

  test('R95: the advert of a job with the longest texts reaches drivers whole', async () => {
    const yaw = await server().driver()
    const stream = await open(yaw.token)
    const longest = {
      itemDescription: '📦'.repeat(500),
      itemPhoto: `http://localhost:8080/${'%F0'.repeat(300)}`,
    }
    const { delivery } = await server().guestDelivery({ ...route, ...longest })
    const quoted = await server().guestDelivery({ ...route, itemDescription: '"\\'.repeat(500) })
    const made = [delivery.ID, quoted.delivery.ID]
    const news = () => stream.news().filter(({ id }) => made.includes(`${id}`))
    await expect.poll(() => news().length).toBe(2)
    expect(news().map(({ job }) => job)).toEqual([
      await advertOf(yaw.token, delivery.ID),
      await advertOf(yaw.token, quoted.delivery.ID),
    ])
    stream.stop()
  })
})
