import { describe, expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import * as queries from '#store/queries/queries.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createClock, createNetwork, type Phone } from '../../helpers/device/phone.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network, startedPhone, phoneOf, driverPhone } = serverOfFile()

const create = '/api/guest/deliveries'

/** Requests of guests whose creates are answered so, one each; what has become of them. */
async function answered(phone: Phone, answers: { status: number; body: object }[]) {
  const answerOf = new Map<string, (typeof answers)[number]>()
  const met = new Set<string>()
  network().cut()
  for (const answer of answers) {
    const draft = await filledDraft(phone.commands)
    answerOf.set(await phone.commands.requestDelivery(draft, 'guest'), answer)
  }
  network().restore()
  network().setConditions((_, { path, key }) => {
    if (path !== create) return 'fine'
    met.add(key ?? '')
    const answer = answerOf.get(key ?? '')
    return answer ? new Response(JSON.stringify(answer.body), { status: answer.status }) : 'fine'
  })
  for (let round = 0; round < 2; round++) await phone.engine.wake()
  const entries = await outboxQueries.outbox(phone.db)
  // None was sent under another key.
  expect([...met].sort()).toEqual([...answerOf.keys()].sort())
  return [...answerOf].map(([id, answer]) => ({
    id,
    ...answer,
    entry: present(entries.find((each) => each.id === id)),
  }))
}

const said = { error: 'Said so', reason: 'invalid' }

describe('S12: asked for patience, an entry is kept under its key', () => {
  test('after 408, 425, 429, 500, 502, 503 and 504', async () => {
    const phone = await startedPhone()
    const answers = [408, 425, 429, 500, 502, 503, 504].map((status) => ({ status, body: said }))
    const requests = await answered(phone, answers)
    for (const { status, entry } of requests)
      expect([status, entry.state]).toEqual([status, 'retrying'])
    network().restore()
    await phone.settle()
    for (const { id } of requests) expect(await server().held(id)).toHaveLength(1)
  })
})

describe('S42: a gateway’s own answer ends no entry', () => {
  const bodies = [
    { message: 'Not Found' },
    { error: 'forbidden' },
    { error: 'Gone', reason: 'upstream' },
    // A reason of ours under the status of another is not ours either.
    { error: 'No', reason: 'email-taken' },
  ]
  // Each body is read the same under every status: each stands beside two of them at least.
  test('with any status and any body', async () => {
    const phone = await startedPhone()
    for (const [at, status] of [400, 401, 403, 404, 405, 410, 413, 422, 451].entries()) {
      // Alone: no gateway answers for one call of a batch.
      const body = present(bodies[at % bodies.length])
      const [request] = await answered(phone, [{ status, body }])
      const { id, entry } = present(request)
      expect(entry).toMatchObject({ state: 'retrying', lastAnswer: { status } })
      network().restore()
      await phone.settle()
      expect(await server().held(id)).toHaveLength(1)
    }
  })
})

describe('S15: refused, an entry says why, and is the person’s to mend', () => {
  const refusals = [
    [400, 'invalid'],
    [403, 'not-allowed'],
    [404, 'not-found'],
    [409, 'taken'],
    [413, 'too-large'],
    [422, 'key-reused'],
  ] as const
  test('after a refusal of ours with any status', async () => {
    const phone = await startedPhone()
    const answers = refusals.map(([status, reason]) => ({ status, body: { ...said, reason } }))
    const requests = await answered(phone, answers)
    for (const { id, body, entry } of requests) {
      const { reason } = body as typeof said
      const error = { message: 'Said so', reason }
      expect(entry).toMatchObject({ state: 'refused', error, unseen: 1 })
      expect(await deliveryQueries.deliveryRow(phone.db, id)).toMatchObject({ known: false })
    }
    network().restore()
    await phone.settle()
    for (const { id } of requests) {
      expect(await server().held(id)).toEqual([])
      await phone.commands.editAndResend(id)
      expect(await queries.draft(phone.db)).toMatchObject({ itemDescription: 'Laptop' })
    }
  })

  test('after a 409 the row is asked for, so that the person sees what happened instead', async () => {
    const made = await server().delivery(await server().sender())
    const phone = await driverPhone()
    await phone.settle()
    network().cut()
    await phone.commands.acceptDelivery(made.ID)
    await server().drive(made, await server().driver(), 'Accepted')
    network().restore()
    const before = network().passed.length
    await phone.settle()
    const paths = network()
      .passed.slice(before)
      .map(({ path }) => path)
    const asked = paths.indexOf(`/api/driver/deliveries/${made.ID}/accept`)
    expect(paths.indexOf(`/api/deliveries/${made.ID}`)).toBeGreaterThan(asked)
  })
})

test('S74: what a guest’s dead token was sent with waits for another, and counts no try', async () => {
  const answer = { status: 401, body: { error: 'No', reason: 'no-session' } }
  const [request] = await answered(await startedPhone(), [answer])
  expect(request?.entry).toMatchObject({ state: 'parked', attempts: 0, error: { reason: 'moved' } })
})

test('S33: when the person acted travels with what they did, and stands beside the server’s time', async () => {
  const sender = await server().sender()
  const clock = createClock(Date.now() - 3_600_000)
  const phone = await phoneOf(sender, { clock })
  network().cut()
  const acted = new Date(clock.now()).toISOString()
  const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
  clock.pass(3_600_000)
  network().restore()
  await phone.settle()
  const [step] = present((await server().held(id))[0]).history ?? []
  expect(step?.occurredAt).toBe(acted)
  expect(Date.parse(present(step?.at)) - Date.parse(acted)).toBeGreaterThan(3_000_000)
})

test('S34: what is urgent leaves before photos, and no more than six things at once', async () => {
  let now = 0
  let most = 0
  let photos = 0
  let mostPhotos = 0
  const order: string[] = []
  const slow = createNetwork(async (request) => {
    if (request.method === 'GET') return server().fetch(request)
    const isPhoto = request.url.endsWith('/images/upload')
    order.push(isPhoto ? 'photo' : 'other')
    most = Math.max(most, ++now)
    mostPhotos = Math.max(mostPhotos, isPhoto ? ++photos : 0)
    await untilIdle()
    const answer = await server().fetch(request)
    now--
    if (isPhoto) photos--
    return answer
  })
  const made = await server().delivery(await server().sender())
  const phone = await driverPhone(slow)
  await phone.settle()
  slow.cut()
  for (let each = 0; each < 7; each++)
    await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
  await phone.commands.acceptDelivery(made.ID)
  slow.restore()
  order.length = most = mostPhotos = 0
  await phone.settle()
  // The accept, for a create waits for its photo; which of the first few is a tick ahead tells nothing.
  expect(order.slice(0, 3)).toContain('other')
  expect(most).toBeGreaterThan(2)
  expect(most).toBeLessThanOrEqual(6)
  expect(mostPhotos).toBe(2)
})

test('S36: what a person may no longer see leaves the phone', async () => {
  const made = await server().delivery(await server().sender())
  const phone = await driverPhone()
  await phone.settle()
  const leave = phone.engine.watch({ kind: 'delivery', id: made.ID })
  expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).not.toBeNull()
  await server().drive(made, await server().driver(), 'Accepted')
  await phone.settle()
  expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).toBeNull()
  expect(await deliveryQueries.deniedAs(phone.db, made.ID)).toBe('not-found')
  leave()
})
