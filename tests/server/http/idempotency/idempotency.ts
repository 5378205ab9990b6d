import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { expireOldRows } from '#server/node/upkeep/expire-old-rows.ts'
import { holdsCode } from '../../../helpers/holds-code.ts'
import { present } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

/** Request keys, over either database. */
export async function requestKeyTests() {
  const server = await serverFixture()

  /** The parts of a response that a repeat must not change. */
  async function heard(answer: Response | Promise<Response>) {
    const response = await answer
    const again = response.headers.get('idempotent-replayed') === 'true'
    return { status: response.status, body: await response.json(), again }
  }

  test('R70: a repeated create has one effect and the same response', async () => {
    const ama = await server.sender()
    const key = v7().toUpperCase()
    const send = () =>
      heard(
        server.raw('POST', '/sender/deliveries', { token: ama.token, key, body: server.request() }),
      )
    const first = await send()
    expect(first).toMatchObject({ status: 201, again: false })
    expect(first.body.delivery.ID).toBe(key.toLowerCase())
    const second = await send()
    expect(second).toEqual({ ...first, again: true })
    const list = await server.ask('senderDeliveries', { token: ama.token })
    expect(list.value?.deliveries).toHaveLength(1)
  })

  test('R70: ten simultaneous requests with one key have one effect and ten equal responses', async () => {
    const ama = await server.sender()
    const key = v7()
    const about = { token: ama.token, key, body: server.request() }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => heard(server.raw('POST', '/sender/deliveries', about))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(answers.filter(({ again }) => !again)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const transfers = await server.repo.read(({ ledger }) => ledger.of(key))
    expect(transfers).toHaveLength(1)
  })

  test('R71: twenty simultaneous sign-ups create one account, send one SMS and store no response', async () => {
    const phone = server.newPhone()
    const body = {
      name: 'Once',
      email: 'once@example.com',
      password: 'long enough',
      phone_number: phone,
      role: 'sender',
    }
    const key = v7()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => heard(server.raw('POST', '/signup', { key, body }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
    expect(answers.every(({ again }) => !again)).toBe(true)
    expect(server.sms.filter(({ to }) => to === phone)).toHaveLength(1)
  })

  test('R70: the same key with another body is 422, and the first response stays', async () => {
    const ama = await server.sender()
    const key = v7()
    const send = (body: object) =>
      heard(server.raw('POST', '/sender/deliveries', { token: ama.token, key, body }))
    const first = await send(server.request())
    const other = await send(server.request({ offer: 1 }))
    expect(other).toMatchObject({ status: 422, body: { reason: 'key-reused' } })
    // The order of members and white space do not matter.
    const reordered = Object.fromEntries(Object.entries(server.request()).reverse())
    expect(await send(reordered)).toEqual({ ...first, again: true })
  })

  test('R70: the same key with the same body for another delivery is 422, and that delivery stays', async () => {
    const admin = await server.admin()
    const [one, other] = [
      await server.delivery(await server.sender()),
      await server.delivery(await server.sender()),
    ]
    const about = { token: admin.token, key: v7(), body: { status: 'Cancelled' } }
    const cancel = (id: string) => heard(server.raw('PATCH', `/deliveries/${id}/status`, about))
    expect((await cancel(one.ID)).status).toBe(200)
    expect(await cancel(other.ID)).toMatchObject({ status: 422, body: { reason: 'key-reused' } })
    expect((await cancel(one.ID)).again).toBe(true)
  })

  test('R70: the same key of another person is another request', async () => {
    const [ama, efua, admin] = [await server.sender(), await server.sender(), await server.admin()]
    const key = v7()
    await server.delivery(ama, {}, key)
    const taken = await heard(
      server.raw('POST', '/sender/deliveries', { token: efua.token, key, body: server.request() }),
    )
    // The key is another row's ID already, so it is refused; the first response is not shown.
    expect(taken).toMatchObject({ status: 422, again: false, body: { reason: 'key-reused' } })
    const me = { token: admin.token, key, body: { name: `Zone ${key}` } }
    expect((await heard(server.raw('POST', '/admin/zones', me))).status).toBe(201)
  })

  test('R70: a refusal is repeated even when the request would succeed now', async () => {
    const [ama, efua] = [await server.sender(), await server.sender()]
    const [yaw, kojo] = [await server.driver(), await server.driver()]
    const made = await server.delivery(ama)
    await server.drive(made, yaw, 'Accepted')
    const key = v7()
    const accept = () =>
      heard(server.raw('PATCH', `/driver/deliveries/${made.ID}/accept`, { token: kojo.token, key }))
    const first = await accept()
    expect(first).toMatchObject({ status: 409, again: false, body: { reason: 'taken' } })
    expect(await accept()).toEqual({ ...first, again: true })

    const create = (key: string) =>
      heard(
        server.raw('POST', '/sender/deliveries', {
          token: efua.token,
          key,
          body: server.request(),
        }),
      )
    const [blocking, blocked] = [v7(), v7()]
    expect((await create(blocking)).status).toBe(201)
    expect((await create(blocked)).status).toBe(409)
    const cancel = { token: efua.token, id: blocking, body: { status: 'Cancelled' as const } }
    await server.ask('changeStatus', cancel)
    expect(await create(blocked)).toMatchObject({ status: 409, again: true })
    expect((await create(v7())).status).toBe(201)
  })

  test('R60: a wrong code with one key is counted once', async () => {
    const [ama, yaw] = [await server.sender(), await server.driver()]
    const made = await server.delivery(ama)
    await server.drive(made, yaw, 'Picked Up')
    const wrong = made.deliveryCode === '00000' ? '00001' : '00000'
    const enter = (code: string, key: string) =>
      heard(
        server.raw('POST', `/driver/deliveries/${made.ID}/complete`, {
          token: yaw.token,
          key,
          body: { code },
        }),
      )
    const key = v7()
    const first = await enter(wrong, key)
    expect(first).toMatchObject({ status: 400, body: { reason: 'wrong-code' } })
    for (let times = 0; times < 10; times++)
      expect(await enter(wrong, key)).toEqual({ ...first, again: true })
    expect((await enter(present(made.deliveryCode), v7())).status).toBe(200)
  })

  test('R70: responses that are not final are not stored: 401, 429, malformed JSON', async () => {
    const ama = await server.sender()
    const key = v7()
    const login = (password: string) =>
      heard(server.raw('POST', '/login', { key, body: { email: ama.email, password } }))
    expect((await login('wrong')).status).toBe(401)
    expect(await login(ama.password)).toMatchObject({ status: 200, again: false })
    const create = (body: unknown) =>
      heard(server.raw('POST', '/sender/deliveries', { token: ama.token, key, body }))
    expect((await create('{')).status).toBe(400)
    expect((await create({})).status).toBe(400)
    expect(await create(server.request())).toMatchObject({ status: 201, again: false })
  })

  test('a call without a key takes effect each time', async () => {
    const admin = await server.admin()
    const add = (name: string) =>
      heard(server.raw('POST', '/admin/items', { token: admin.token, body: { name } }))
    expect((await add('Drum')).status).toBe(201)
    expect(await add(' drum ')).toMatchObject({ status: 409, body: { reason: 'name-taken' } })
  })

  test('R70, R72: a key expires, and its row is still not created twice', async () => {
    const admin = await server.admin()
    const key = v7()
    const about = { token: admin.token, key, body: { name: 'Old' } }
    const add = () => heard(server.raw('POST', '/admin/zones', about))
    expect((await add()).status).toBe(201)
    await expireOldRows(server.ports)
    expect(await add()).toMatchObject({ status: 201, again: true })
    server.clock.advance(91 * 24 * 60 * 60 * 1000)
    // The admin's session has expired too.
    const again = await server.admin()
    await expireOldRows(server.ports)
    const late = await heard(server.raw('POST', '/admin/zones', { ...about, token: again.token }))
    expect(late.again).toBe(false)
    expect([409, 422]).toContain(late.status)
  })

  test('R71, R130: a caller with the key and the request but no guestSecret gets no token once a driver has had the job', async () => {
    const yaw = await server.driver()
    const guestPhone = server.newPhone()
    const body = { ...server.request(), senderName: 'Kofi', senderPhone: guestPhone }
    const key = v7()
    const send = (more: object = {}) =>
      heard(server.raw('POST', '/guest/deliveries', { key, body: { ...body, ...more } }))
    const first = await send()
    expect(first.body.guestToken).toMatch(/^g_/)
    // The guest whose response was lost repeats the request.
    expect(await send()).toEqual({ ...first, again: true })
    const { delivery } = first.body
    const mustNotRob = async () => {
      const robbed = await send()
      expect(robbed).toMatchObject({ status: 201, again: true })
      expect(robbed.body.guestToken).toBeUndefined()
      expect(holdsCode(JSON.stringify(robbed.body), delivery.deliveryCode)).toBe(false)
    }
    await server.drive(delivery, yaw, 'Accepted')
    await mustNotRob()
    // Pending again, but its driver knows key and fields (R130).
    const release = { token: yaw.token, id: delivery.ID, body: { reason: 'Flat tyre' } }
    await server.ask('releaseJob', release)
    await mustNotRob()
  })

  test('R71: a repeat with the guestSecret gets token and code at any time, without it never', async () => {
    const yaw = await server.driver()
    const body = { ...server.request(), senderName: 'Kofi', senderPhone: server.newPhone() }
    const key = v7()
    const send = (more: object) =>
      heard(server.raw('POST', '/guest/deliveries', { key, body: { ...body, ...more } }))
    const first = await send({ guestSecret: 'only this phone knows' })
    await server.drive(first.body.delivery, yaw, 'Accepted')
    expect(await send({ guestSecret: 'only this phone knows' })).toEqual({ ...first, again: true })
    for (const guess of [{}, { guestSecret: 'a guess' }, { guestSecret: '' }])
      expect(await send(guess)).toMatchObject({ status: 422, body: { reason: 'key-reused' } })
  })

  const cancelled = { status: 'Cancelled' as const }
  const withdraw = async (key: string, token?: string, body: object = {}) =>
    heard(server.raw('POST', `/requests/${key}/withdraw`, { token, body }))
  const taken = { status: 200, body: { state: 'withdrawn' } }
  const refused = { status: 409, body: { reason: 'withdrawn' } }

  test('R154: a request that was taken back before it arrived is refused for ever', async () => {
    const { token } = await server.admin()
    const key = v7()
    expect(await withdraw(key, token)).toMatchObject(taken)
    const add = (token: string) =>
      heard(server.raw('POST', '/admin/zones', { token, key, body: { name: 'Taken back' } }))
    expect(await add(token)).toMatchObject(refused)
    server.clock.advance(400 * 24 * 60 * 60 * 1000)
    await expireOldRows(server.ports)
    const later = await server.admin()
    expect(await add(later.token)).toMatchObject(refused)
    expect(await withdraw(key, later.token)).toMatchObject(taken)
  })

  test('R154: a request that took effect is done, with its first response, and one that was refused can be taken back', async () => {
    const ama = await server.sender()
    const made = v7()
    const first = await server.delivery(ama, {}, made)
    expect(await withdraw(made.toUpperCase(), ama.token)).toMatchObject({
      status: 200,
      body: { state: 'done', status: 201, body: { delivery: { ID: first.ID } } },
    })
    const blocked = v7()
    const about = { token: ama.token, key: blocked, body: server.request() }
    const send = () => heard(server.raw('POST', '/sender/deliveries', about))
    expect(await send()).toMatchObject({ status: 409, body: { reason: 'active-delivery' } })
    expect(await withdraw(blocked, ama.token)).toMatchObject(taken)
    expect(await send()).toMatchObject(refused)
  })

  test('R154: ten repeats of a request and ten withdrawals at once agree on one outcome', async () => {
    const ama = await server.sender()
    const key = v7()
    const about = { token: ama.token, key, body: server.request() }
    const [sent, withdrawn] = await Promise.all([
      Promise.all(
        Array.from({ length: 10 }, () => heard(server.raw('POST', '/sender/deliveries', about))),
      ),
      Promise.all(Array.from({ length: 10 }, () => withdraw(key, ama.token))),
    ])
    const states = new Set(withdrawn.map(({ body }) => body.state))
    expect(states.size).toBe(1)
    const statuses = new Set(sent.map(({ status }) => status))
    expect([...statuses]).toEqual([states.has('done') ? 201 : 409])
    const list = await server.ask('senderDeliveries', { token: ama.token })
    expect(list.value?.deliveries).toHaveLength(states.has('done') ? 1 : 0)
  })

  test("R154: nobody touches another one's key, and a guest's create is taken back by its guestSecret", async () => {
    const [ama, efua] = [await server.sender(), await server.sender()]
    const key = v7()
    expect(await withdraw(key, efua.token)).toMatchObject(taken)
    expect((await server.delivery(ama, {}, key)).ID).toBe(key)

    const guestKey = v7()
    const guestSecret = 'only this phone knows'
    const body = { ...server.request(), senderName: 'Kofi', senderPhone: server.newPhone() }
    const send = (key: string) =>
      heard(server.raw('POST', '/guest/deliveries', { key, body: { ...body, guestSecret } }))
    const { guestToken } = (await send(guestKey)).body
    for (const stranger of [undefined, efua.token])
      expect(await withdraw(guestKey, stranger, { guestSecret: 'a guess' })).toMatchObject({
        status: 404,
      })
    expect(await withdraw(guestKey, undefined)).toMatchObject({ status: 401 })
    expect(await withdraw(guestKey, efua.token, { guestSecret })).toMatchObject({
      body: { state: 'done', status: 201, body: { guestToken } },
    })
    const unsent = v7()
    expect(await withdraw(unsent, undefined, { guestSecret })).toMatchObject(taken)
    expect(await send(unsent)).toMatchObject(refused)

    // With the guest's token the requests about their delivery are taken back.
    const cancel = v7()
    expect(await withdraw(cancel, guestToken)).toMatchObject(taken)
    const status = `/guest/deliveries/${guestKey}/status`
    expect(
      await heard(
        server.raw('PATCH', status, {
          token: guestToken,
          key: cancel,
          body: { ...cancelled, guestPhone: body.senderPhone },
        }),
      ),
    ).toMatchObject(refused)
  })

  test('R155: of the keys that a phone names, those are unknown that have neither an effect nor a refusal', async () => {
    const [ama, efua] = [await server.sender(), await server.sender()]
    const [made, blocked, never, withdrawn] = [v7(), v7(), v7(), v7()]
    await server.delivery(ama, {}, made)
    await heard(
      server.raw('POST', '/sender/deliveries', {
        token: ama.token,
        key: blocked,
        body: server.request(),
      }),
    )
    await withdraw(withdrawn, ama.token)
    const keys = [made, blocked, never.toUpperCase(), withdrawn]
    const known = (token: string, keys: unknown) =>
      heard(server.raw('POST', '/requests/known', { token, body: { keys } }))
    expect((await known(ama.token, keys)).body).toEqual({ unknown: [never, withdrawn] })
    expect((await known(efua.token, keys)).body.unknown).toHaveLength(4)
    for (const wrong of [[], ['x'], Array(501).fill(never), 'x', undefined])
      expect(await known(ama.token, wrong)).toMatchObject({ status: 400 })
  })
}
