import { describe, expect, test } from 'vitest'
import { limitsWith } from '#server/ports/limits.ts'
import { photo, present, startTestServer, testOptions } from '../../../helpers/server/server.ts'
import { overPostgres } from '../../both-adapters.ts'

const minute = 60_000
const day = 24 * 60 * minute

overPostgres((server) => {
  const sentTo = (phone: string) => server().sms.filter(({ to }) => to === phone)
  const recover = (guestPhone: string) =>
    server().raw('POST', '/guest/recover', { body: { guestPhone } })
  const reset = (phone_number: string) =>
    server().raw('POST', '/password/request-reset', { body: { phone_number } })
  const resend = (phone_number: string) =>
    server().raw('POST', '/verify/resend', { body: { phone_number } })
  const guestRequest = (senderPhone: string) =>
    server().raw('POST', '/guest/deliveries', {
      body: server().guestRequest({ senderPhone }),
    })

  describe('numbers', () => {
    const foreign = ['9607771234', '0123456789', '0612345678', '1900123456', '0712345678']

    test.each(foreign)(
      'R146: %s is refused wherever a number is new, with a sentence for people',
      async (phone) => {
        const ama = await server().sender()
        const signup = {
          name: 'N',
          email: `n${phone}@example.com`,
          password: 'long enough',
          phone_number: phone,
          role: 'sender',
        }
        const guest = server().guestRequest()
        const calls: [string, string, object, string?][] = [
          ['POST', '/signup', signup],
          ['PATCH', '/users/me/phone', { phone_number: phone }, ama.token],
          ['POST', '/guest/deliveries', { ...guest, senderPhone: phone }],
          ['POST', '/guest/deliveries', { ...guest, recipientPhone: phone }],
          ['POST', '/sender/deliveries', server().request({ recipientPhone: phone }), ama.token],
        ]
        for (const [method, path, body, token] of calls) {
          const answer = await server().raw(method, path, { body, token })
          const { error, reason } = await answer.json()
          expect([path, answer.status, reason]).toEqual([path, 400, 'invalid'])
          expect(error).toBe('Enter a Ghana phone number. It starts with 02, 03, 04 or 05.')
        }
        expect(sentTo(phone)).toEqual([])
      },
    )

    test('R146: one that an earlier version stored gets no SMS, whatever is asked', async () => {
      const phone = '9607771234'
      const ama = await server().sender()
      const { delivery } = await server().guestDelivery()
      await server().repo.transaction(async ({ users, deliveries }) => {
        await users.change(ama.user.ID, { phone_number: phone })
        const made = present(await deliveries.lock(delivery.ID))
        await deliveries.save(made, { ...made, senderPhone: phone })
      })
      const before = server().sms.length
      await reset(phone)
      await recover(phone)
      await resend(phone)
      const own = server().newPhone()
      await server().ask('changePhone', { token: ama.token, body: { phone_number: own } })
      expect(
        server()
          .sms.slice(before)
          .map(({ to }) => to),
      ).toEqual([own])
    })
  })

  test('R149: the SMS of a code names its account by two letters, and nothing else that was typed', async () => {
    const phone = server().newPhone()
    const name = 'Call 0900 1234'
    const email = `win.a.prize${phone}@evil.example`
    await server().signUp('sender', { phone_number: phone, name, email })
    const [{ text } = { text: '' }] = sentTo(phone)
    expect(text.replace(/\d{6}/g, 'N')).toBe(
      'Soma: your verification code is N, for the account wi.... It is valid for 10 minutes.\n@localhost #N',
    )
  })

  test('R150: asks that send nothing count for nobody: the number’s owner still signs up and finds their deliveries', async () => {
    const phone = server().newPhone()
    for (let n = 0; n < 8; n++)
      for (const ask of [recover, reset, resend]) expect((await ask(phone)).status).toBe(200)
    expect(sentTo(phone)).toEqual([])
    await server().signUp('sender', { phone_number: phone })
    await server().guestDelivery({ senderPhone: phone })
    await recover(phone)
    expect(sentTo(phone)).toHaveLength(2)
  })

  test('R150: those that send have a counter of their own, three in 15 minutes, and answer as ever', async () => {
    const ama = await server().sender()
    const unknown = await (await reset(server().newPhone())).text()
    for (let n = 0; n < 5; n++) expect(await (await reset(ama.phone)).text()).toBe(unknown)
    expect(sentTo(ama.phone)).toHaveLength(1 + 3)
    // Sign-up and verification are counted apart.
    const phone = server().newPhone()
    await server().guestDelivery({ senderPhone: phone })
    for (let n = 0; n < 5; n++) await recover(phone)
    const efua = await server().signUp('sender', { phone_number: phone })
    await server().ask('resendCode', { token: efua.token, body: { phone_number: phone } })
    expect(sentTo(phone)).toHaveLength(3 + 2)
    server().clock.advance(15 * minute)
    await recover(phone)
    expect(sentTo(phone)).toHaveLength(3 + 2 + 1)
  })

  test('R151: a number that nobody confirmed has five open requests; a confirmed one has as many as it likes', async () => {
    const phone = server().newPhone()
    const made = []
    for (let n = 0; n < 5; n++) made.push(await server().guestDelivery({ senderPhone: phone }))
    const refused = await guestRequest(phone)
    expect([refused.status, (await refused.json()).reason]).toEqual([409, 'open-requests'])
    // One that ends makes room.
    const [first] = made
    const cancel = { status: 'Cancelled' as const, guestPhone: phone }
    await server().ask('changeGuestStatus', {
      token: present(first).token,
      id: present(first).delivery.ID,
      body: cancel,
    })
    expect((await guestRequest(phone)).status).toBe(201)
    expect((await guestRequest(phone)).status).toBe(409)
    await recover(phone)
    const body = { guestPhone: phone, code: server().codeSentTo(phone) }
    await server().ask('confirmGuestRecovery', { body })
    for (let n = 0; n < 3; n++) expect((await guestRequest(phone)).status).toBe(201)
  })

  test('R151: of many requests at once for one number, five are taken', async () => {
    const phone = server().newPhone()
    const all = await Promise.all(Array.from({ length: 9 }, () => guestRequest(phone)))
    const statuses = all.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(4).fill(409)])
  })

  test('R109: what is under way is found again before what is on offer, and that before what has ended', async () => {
    const phone = server().newPhone()
    const [ended, live] = [
      await server().guestDelivery({ senderPhone: phone }),
      await server().guestDelivery({ senderPhone: phone }),
    ]
    await server().drive(live.delivery, await server().driver(), 'Picked Up')
    const body = { status: 'Cancelled' as const, guestPhone: phone }
    await server().ask('changeGuestStatus', { token: ended.token, id: ended.delivery.ID, body })
    const junk = [
      await server().guestDelivery({ senderPhone: phone }),
      await server().guestDelivery({ senderPhone: phone }),
    ]
    await recover(phone)
    const code = server().codeSentTo(phone)
    const { value } = await server().ask('confirmGuestRecovery', {
      body: { guestPhone: phone, code },
    })
    const found = present(value).deliveries.map(({ delivery }) => delivery.ID)
    const [second, first] = junk.map(({ delivery }) => delivery.ID)
    expect(found).toEqual([live.delivery.ID, first, second, ended.delivery.ID])
  })
})

test('R147: numbers with the same first six digits get 50 SMS a day together, others are served', async () => {
  const limits = { ...testOptions.limits, smsPrefix: limitsWith({ smsPrefix: 4 }).smsPrefix }
  const server = await startTestServer(undefined, { options: { ...testOptions, limits } })
  const signUp = (phone_number: string) =>
    server.raw('POST', '/signup', {
      body: {
        name: 'N',
        email: `n${phone_number}@example.com`,
        password: 'long enough',
        phone_number,
        role: 'sender',
        idPhoto: photo,
      },
    })
  const phones = [1, 2, 3, 4, 5].map((n) => `055123000${n}`)
  const statuses = []
  for (const phone of phones) statuses.push((await signUp(phone)).status)
  expect(statuses).toEqual([201, 201, 201, 201, 429])
  const refusal = await server.raw('POST', '/password/request-reset', {
    body: { phone_number: '0551230999' },
  })
  expect(refusal.status).toBe(429)
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await signUp('0551240001')).status).toBe(201)
  server.clock.advance(day)
  expect((await signUp('0551230005')).status).toBe(201)
  await server.close()
  expect(limitsWith({}).smsPrefix).toMatchObject({ tries: 50, within: day })
})
