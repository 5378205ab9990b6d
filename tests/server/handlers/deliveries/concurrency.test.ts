import { expect, test } from 'vitest'
import { present, type TestServer } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

const one = await serverFixture()
const two = await serverFixture({}, one.database)

test('R24: of eight drivers who accept at once, at two servers, one wins and seven get 409', async () => {
  const drivers = []
  for (let n = 0; n < 8; n++) drivers.push(await one.driver())
  const made = await one.delivery(await one.sender())
  const answers = await Promise.all(
    drivers.map(async ({ token }, n) => {
      const server = n % 2 ? one : two
      const answer = await server.raw('PATCH', `/driver/deliveries/${made.ID}/accept`, { token })
      return { status: answer.status, body: await answer.json() }
    }),
  )
  const won = answers.filter(({ status }) => status === 200)
  const lost = answers.filter(({ status }) => status === 409)
  expect([won.length, lost.length]).toEqual([1, 7])
  for (const { body } of lost) expect(body.reason).toBe('taken')
  const admin = await one.admin()
  const { value } = await one.ask('getDelivery', { token: admin.token, id: made.ID })
  expect(value?.delivery.driver?.id).toBe(won[0]?.body.delivery.driver.id)
  expect(value?.delivery.history?.map(({ status }) => status)).toEqual(['Pending', 'Accepted'])
})

test('R29: a driver who accepts eight jobs at once gets one', async () => {
  const yaw = await one.driver()
  const made = []
  for (let n = 0; n < 8; n++) made.push(await one.delivery(await one.sender()))
  const statuses = await Promise.all(
    made.map(async ({ ID }, n) => {
      const server = n % 2 ? one : two
      const path = `/driver/deliveries/${ID}/accept`
      return (await server.raw('PATCH', path, { token: yaw.token })).status
    }),
  )
  expect(statuses.sort()).toEqual([200, ...Array(7).fill(409)])
})

test('R30: a sender who sends eight requests at once, with different keys, has one delivery', async () => {
  const ama = await one.sender()
  const answers = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const server = n % 2 ? one : two
      const about = { token: ama.token, key: crypto.randomUUID(), body: server.request() }
      const answer = await server.raw('POST', '/sender/deliveries', about)
      return { status: answer.status, body: await answer.json() }
    }),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  const message = 'You already have an active delivery.'
  expect(answers.find(({ status }) => status === 409)?.body).toEqual({
    error: message,
    reason: 'active-delivery',
  })
})

test('R41: a delivery approved eight times at once pays its driver once', async () => {
  const [ama, yaw] = [await one.sender(), await one.driver()]
  const made = await one.delivery(ama)
  await one.drive(made, yaw, 'Delivered')
  const approve = (server: TestServer) =>
    server.raw('PATCH', `/deliveries/${made.ID}/status`, {
      token: ama.token,
      body: { status: 'Approved' },
    })
  const answers = await Promise.all([one, two, one, two, one, two, one, two].map(approve))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  expect(await one.repo.read(({ ledger }) => ledger.balance(`driver:${yaw.user.ID}`))).toBe(6050)
})

test('R27, R41: a cancel and an accept at once end cancelled and refunded, whoever came first', async () => {
  for (let round = 0; round < 3; round++) {
    const [ama, yaw] = [await one.sender(), await one.driver()]
    const made = await one.delivery(ama)
    const [cancelled, accepted] = await Promise.all([
      one.raw('PATCH', `/deliveries/${made.ID}/status`, {
        token: ama.token,
        body: { status: 'Cancelled' },
      }),
      two.raw('PATCH', `/driver/deliveries/${made.ID}/accept`, { token: yaw.token }),
    ])
    expect(cancelled.status).toBe(200)
    expect([200, 409]).toContain(accepted.status)
    const { value } = await one.ask('getDelivery', { token: ama.token, id: made.ID })
    const accepts = value?.delivery.history?.filter(({ status }) => status === 'Accepted')
    expect(accepts).toHaveLength(accepted.status === 200 ? 1 : 0)
    // Whoever had accepted it has to confirm the cancel first (R123).
    const seen = `/driver/deliveries/${made.ID}/cancel-seen`
    if (accepted.status === 200) await two.raw('POST', seen, { token: yaw.token })
    const kinds = await one.repo.read(({ ledger }) => ledger.of(made.ID))
    expect(kinds.map(({ kind }) => kind)).toEqual(['hold', 'refund'])
  }
})

test('R27, R41: of a cancel and a pick-up at once one succeeds, and the ledger agrees', async () => {
  for (let round = 0; round < 3; round++) {
    const [ama, yaw] = [await one.sender(), await one.driver()]
    const made = await one.delivery(ama)
    await one.drive(made, yaw, 'Accepted')
    const path = `/deliveries/${made.ID}/status`
    const [cancelled, pickedUp] = await Promise.all([
      one.raw('PATCH', path, { token: ama.token, body: { status: 'Cancelled' } }),
      two.raw('PATCH', path, { token: yaw.token, body: { status: 'Picked Up' } }),
    ])
    expect([cancelled.status, pickedUp.status].sort()).toEqual([200, 409])
    const kinds = await one.repo.read(({ ledger }) => ledger.of(made.ID))
    // The money of a job that a driver had is held (R123).
    expect(kinds.map(({ kind }) => kind)).toEqual(['hold'])
    const { value } = await one.ask('getDelivery', { token: ama.token, id: made.ID })
    expect(value?.delivery.refund).toBe(cancelled.status === 200 ? 'held' : undefined)
  }
})

test('R5: a driver rejected while they accept does not keep the job, which is Pending', async () => {
  const admin = await one.admin()
  for (let round = 0; round < 2; round++) {
    const yaw = await one.driver()
    const made = await one.delivery(await one.sender())
    const [, accepted] = await Promise.all([
      one.ask('reviewDriver', {
        token: admin.token,
        id: yaw.user.ID,
        body: { status: 'rejected' },
      }),
      two.raw('PATCH', `/driver/deliveries/${made.ID}/accept`, { token: yaw.token }),
    ])
    expect([200, 403]).toContain(accepted.status)
    const { value } = await one.ask('getDelivery', { token: admin.token, id: made.ID })
    expect(value?.delivery).toMatchObject({ status: 'Pending' })
    expect(value?.delivery.driver).toBeUndefined()
  }
})

test('R10: a phone number confirmed while a job is accepted is the one the sender sees', async () => {
  for (let round = 0; round < 2; round++) {
    const [ama, yaw] = [await one.sender(), await one.driver()]
    const made = await one.delivery(ama)
    const phone = one.newPhone()
    await one.ask('changePhone', { token: yaw.token, body: { phone_number: phone } })
    const [, accepted] = await Promise.all([
      one.verify({ ...yaw, phone }),
      two.raw('PATCH', `/driver/deliveries/${made.ID}/accept`, { token: yaw.token }),
    ])
    expect(accepted.status).toBe(200)
    const { value } = await one.ask('getDelivery', { token: ama.token, id: made.ID })
    expect(present(value).delivery.driver?.phone).toBe(phone)
  }
})

test('R7, R145: of two people who confirm one number at once only one owns it', async () => {
  const phone_number = one.newPhone()
  const first = await one.signUp('sender', { phone_number, email: 'race1@example.com' })
  const codeOne = one.codeSentTo(phone_number)
  const second = await one.signUp('sender', { phone_number, email: 'race2@example.com' })
  const codeTwo = one.codeSentTo(phone_number)
  const answers = await Promise.all(
    [codeOne, codeTwo].map((code, n) =>
      (n ? one : two).raw('POST', '/verify/confirm', { body: { phone_number, code } }),
    ),
  )
  // At once, one is refused; one after the other, the second takes the number (R145).
  expect([200, 409]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)))
  const verified = await Promise.all(
    [first, second].map(async ({ token }) => (await one.ask('me', { token })).value?.user.Verified),
  )
  expect(verified.filter(Boolean)).toHaveLength(1)
})
