import { describe, expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import * as queries from '#store/queries/queries.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createLocks, createNetwork, type NetworkCondition } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, newPhone, startedPhone } = serverOfFile()

/** Befalls the first try of every request that says something; then the road is fine. */
const once = (weather: NetworkCondition) => {
  const met = new Set<string>()
  network().setConditions((_, { method, path, key }) => {
    const name = `${method} ${path} ${key}`
    if (method === 'GET' || met.has(name)) return 'fine'
    met.add(name)
    return weather instanceof Response ? weather.clone() : weather
  })
}

/** A network on which nothing that says something is answered until it is let go. */
function slowAnswers() {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const slow = createNetwork(async (request) => {
    const response = await server().fetch(request)
    if (request.method === 'POST') await held
    return response
  })
  return { slow, letGo }
}

const json = (status: number, body: object, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers })

describe('a guest’s request, made without a network', () => {
  test('S1, S5: becomes one delivery whatever befalls each request once', async () => {
    const phone = await startedPhone()
    const conditions: Record<string, NetworkCondition> = {
      nothing: 'fine',
      'request lost': 'request lost',
      'answer lost': 'answer lost',
      'arrives twice': 'doubled',
      'answer torn': 'answer torn',
      portal: new Response('<html>Welcome to Hotel Wi-Fi</html>'),
      'server fails': json(503, { error: 'busy', reason: 'unavailable' }),
    }
    for (const [befalls, weather] of Object.entries(conditions)) {
      network().cut()
      const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
      await phone.engine.wake()
      expect((await deliveryQueries.deliveryRow(phone.db, id))?.known).toBe(false)
      network().restore()
      once(weather)
      await phone.settle()

      expect([befalls, (await server().held(id)).length]).toEqual([befalls, 1])
      const row = await deliveryQueries.deliveryRow(phone.db, id)
      expect(row).toMatchObject({ known: true, marks: [] })
      expect(row?.view).toEqual(await server().asGuestOf(phone.db, id))
      expect(row?.view.deliveryCode).toMatch(/^\d{5}$/)
      expect(await queries.outboxSummary(phone.db)).toMatchObject({ unsent: 0, refused: 0 })
    }
  })

  test('S2: survives the tab being killed before anything left', async () => {
    network().cut()
    const first = await startedPhone()
    const id = await first.commands.requestDelivery(await filledDraft(first.commands), 'guest')
    await first.kill()
    network().restore()
    const again = await startedPhone({ dbName: first.db.name })
    await again.settle()
    expect(await server().held(id)).toHaveLength(1)
  })

  test('S1, S2: survives a kill while its answer is on the way', async () => {
    const first = await startedPhone()
    const { slow, letGo } = slowAnswers()
    await first.kill()
    const second = newPhone({ dbName: first.db.name }, slow)
    await second.db.open()
    const id = await second.commands.requestDelivery(await filledDraft(second.commands), 'guest')
    void second.start().catch(() => {})
    await expect.poll(() => slow.passed.filter(({ method }) => method === 'POST').length).toBe(1)
    second.db.close()
    const third = await startedPhone({ dbName: first.db.name })
    await third.settle()
    letGo()
    expect(await server().held(id)).toHaveLength(1)
  })

  test('S4, S7: never leaves when its photo is refused, and both say why', async () => {
    const phone = await startedPhone()
    network().setConditions((_, { path }) =>
      path === '/api/images/upload' ? json(415, { error: { message: 'Not a photo' } }) : 'fine',
    )
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    await phone.settle()
    expect(network().passed.some(({ path }) => path === '/api/guest/deliveries')).toBe(false)
    const [create, upload] = await outboxQueries.outbox(phone.db)
    expect(upload).toMatchObject({ state: 'refused', error: { message: 'Not a photo' } })
    expect(create).toMatchObject({ state: 'refused', error: { because: upload?.id } })
    expect((await deliveryQueries.deliveryRow(phone.db, id))?.marks).toMatchObject([
      { state: 'refused' },
    ])
    const about = phone.commands.reportIssue(id, 'Nobody comes')
    await expect(about).rejects.toMatchObject({ reason: 'not-found' })

    network().restore()
    await phone.commands.retry(create?.id ?? '')
    await phone.settle()
    const row = await deliveryQueries.deliveryRow(phone.db, id)
    expect(row).toMatchObject({ known: true, marks: [] })
    expect(await server().held(row?.ID ?? '')).toHaveLength(1)
    expect(await queries.guestRecord(phone.db)).toMatchObject({ id: row?.ID })
  })

  test.each([
    ['its photo’s answer is lost', 'answer lost'],
    ['its photo arrives', 'fine'],
  ] as const)(
    'S7: taken back while the photo is on its way, stays taken back when %s',
    async (_, weather) => {
      const { slow, letGo } = slowAnswers()
      slow.setConditions((request) => (request.method === 'POST' ? weather : 'fine'))
      const phone = await startedPhone({}, slow)
      const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
      await expect.poll(() => slow.passed.filter(({ method }) => method === 'POST').length).toBe(1)
      await phone.commands.discard(id)
      letGo()
      await phone.settle()
      expect((await outboxQueries.outbox(phone.db)).map(({ state }) => state)).toEqual([
        'cancelled',
        'cancelled',
      ])
      expect(await server().held(id)).toEqual([])
    },
  )

  test('S17: leaves once, with two tabs open', async () => {
    const locks = createLocks()
    const one = newPhone({ locks })
    await one.start()
    const two = await startedPhone({ locks, dbName: one.db.name })
    const id = await one.commands.requestDelivery(await filledDraft(one.commands), 'guest')
    await Promise.all([one.settle(), two.settle()])
    await one.settle()
    const sent = network().passed.filter(({ path }) => path === '/api/guest/deliveries')
    expect(sent.map(({ key }) => key)).toEqual([id])
  })

  test('S19: follows the ID a backend of another make hands out', async () => {
    const foreign = new Map<string, string>()
    const renaming = createNetwork(async (request) => {
      const known = (text: string) =>
        [...foreign].reduce((some, [ours, theirs]) => some.replace(theirs, ours), text)
      const url = known(request.url)
      const init = request.method === 'GET' ? {} : { body: known(await request.text()) }
      const { method, headers } = request
      const response = await server().fetch(new Request(url, { method, headers, ...init }))
      let text = await response.text()
      const created = request.method === 'POST' && url.endsWith('/guest/deliveries')
      if (created) foreign.set(JSON.parse(text).delivery.ID, `srv-${foreign.size + 1}`)
      for (const [ours, theirs] of foreign) text = text.replaceAll(ours, theirs)
      return new Response(text, { status: response.status, headers: response.headers })
    })
    const phone = await startedPhone({}, renaming)
    renaming.cut()
    await phone.db.meta.put({ key: 'config', value: server().config })
    const draft = await filledDraft(phone.commands)
    await phone.db.photos.update(draft.photo ?? '', { url: server().hostedPhoto })
    const id = await phone.commands.requestDelivery(draft, 'guest')
    await phone.commands.reportIssue(id, 'The box is heavier than I said.')
    renaming.restore()
    await phone.settle()
    expect(await deliveryQueries.deliveryRow(phone.db, id)).toMatchObject({
      ID: 'srv-1',
      known: true,
    })
    expect(await queries.guestRecord(phone.db)).toMatchObject({ id: 'srv-1' })
    expect((await outboxQueries.outbox(phone.db)).map(({ state }) => state)).toEqual([
      'done',
      'done',
    ])
  })
})
