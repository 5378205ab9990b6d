import { expect, test } from 'vitest'
import { payoutAt } from '#domain/payouts/payout-numbers.ts'
import { type Person, present } from '../../../helpers/server/server.ts'
import { overIndexedDb } from '../../both-adapters.ts'

const hour = 60 * 60 * 1000

overIndexedDb((server) => {
  const ask = (by: Person, phone: string, over: object = {}) =>
    server().ask('changePayout', {
      token: by.token,
      body: { phone, network: 'mtn', name: 'Yaw Driver', ...over },
    })
  const confirm = (by: Person, code: string) =>
    server().ask('confirmPayout', { token: by.token, body: { code } })
  const numbersOf = async ({ token }: Person) =>
    present((await server().ask('me', { token })).value).user
  const counting = async (by: Person) => payoutAt(await numbersOf(by), server().clock.now())?.phone
  /** Asks for it and confirms it. */
  async function choose(by: Person, phone: string, over: object = {}) {
    await ask(by, phone, over)
    return present((await confirm(by, server().codeSentTo(phone))).value).user
  }

  test('R175: the first number counts as soon as its code is entered, also the driver’s own', async () => {
    const yaw = await server().driver()
    await ask(yaw, yaw.phone)
    expect(await counting(yaw)).toBeUndefined()
    const { payout } = present((await confirm(yaw, server().codeSentTo(yaw.phone))).value).user
    expect(payout).toMatchObject({ phone: yaw.phone, network: 'mtn', name: 'Yaw Driver' })
    expect(await counting(yaw)).toBe(yaw.phone)
    // A code works once.
    const again = confirm(yaw, server().codeSentTo(yaw.phone))
    await expect(again).rejects.toMatchObject({ status: 400, reason: 'wrong-sms-code' })
  })

  test('R175: a change is told to the number before at once, and counts 24 hours later', async () => {
    const yaw = await server().driver()
    await choose(yaw, yaw.phone)
    const phone = server().newPhone()
    const before = server().sms.length
    const { payout, nextPayout } = await choose(yaw, phone, { network: 'vod' })
    expect([payout?.phone, nextPayout?.phone]).toEqual([yaw.phone, phone])
    const [code, told] = server().sms.slice(before)
    expect([code?.to, told?.to]).toEqual([phone, yaw.phone])
    const [day, time] = present(nextPayout).from.split(/[TZ]/)
    expect(told?.text).toContain(`...${phone.slice(-2)} from ${day} ${time?.slice(0, 5)}`)
    expect(present(told).text.length).toBeLessThanOrEqual(160)
    server().clock.advance(23.9 * hour)
    expect(await counting(yaw)).toBe(yaw.phone)
    server().clock.advance(0.2 * hour)
    expect(await counting(yaw)).toBe(phone)
    // The next change follows the one that counts by now.
    const third = server().newPhone()
    expect((await choose(yaw, third)).payout?.phone).toBe(phone)
  })

  test('R175: asking for the number that counts ends a change, without a code', async () => {
    const yaw = await server().driver()
    await choose(yaw, yaw.phone)
    await choose(yaw, server().newPhone())
    const before = server().sms.length
    await ask(yaw, yaw.phone)
    expect(server().sms).toHaveLength(before)
    server().clock.advance(25 * hour)
    expect(await counting(yaw)).toBe(yaw.phone)
    expect(await numbersOf(yaw)).not.toHaveProperty('nextPayout')
    // Under another name it is another account.
    expect((await choose(yaw, yaw.phone, { name: 'Yaw Mensah' })).nextPayout?.name).toBe(
      'Yaw Mensah',
    )
  })

  test('R62, R63, R175: codes live ten minutes, end after five wrong tries, and are three in 15 minutes', async () => {
    const yaw = await server().driver()
    const phone = server().newPhone()
    const isWrong = { status: 400, reason: 'wrong-sms-code' }
    await expect(confirm(yaw, '123456')).rejects.toMatchObject(isWrong)
    await ask(yaw, phone)
    server().clock.advance(10 * 60_000)
    await expect(confirm(yaw, server().codeSentTo(phone))).rejects.toMatchObject(isWrong)
    await ask(yaw, phone)
    for (let n = 0; n < 5; n++) await expect(confirm(yaw, 'wrong')).rejects.toMatchObject(isWrong)
    await expect(confirm(yaw, server().codeSentTo(phone))).rejects.toMatchObject(isWrong)
    await ask(yaw, phone)
    // Another number does not help, and another driver cannot use up the account's.
    for (const other of [phone, server().newPhone()])
      await expect(ask(yaw, other)).rejects.toMatchObject({ status: 429 })
    const kojo = await server().driver()
    await expect(confirm(kojo, server().codeSentTo(phone))).rejects.toMatchObject(isWrong)
    expect((await choose(yaw, phone).catch(() => numbersOf(yaw))).payout).toBeUndefined()
  })

  test('R8, R146, R152, R175: any spelling is taken; a malformed number, network or name is 400', async () => {
    const yaw = await server().driver()
    const phone = server().newPhone()
    await ask(yaw, `+233 ${phone.slice(1)}`)
    const user = present((await confirm(yaw, server().codeSentTo(phone))).value).user
    expect(user.payout?.phone).toBe(phone)
    const body = { phone, network: 'mtn', name: 'Yaw' }
    for (const wrong of [
      { phone: '024123' },
      { phone: '0941234567' },
      { network: 'voda' },
      { network: '' },
      { name: ' ' },
      { name: 'Soma Support' },
    ]) {
      const asked = { token: yaw.token, body: { ...body, ...wrong } }
      const { status } = await server().raw('PUT', '/driver/payout', asked)
      expect([wrong, status]).toEqual([wrong, 400])
    }
  })

  test('R175: the driver and admins see it, and a number that waits for its code the driver alone', async () => {
    const yaw = await server().driver()
    await choose(yaw, yaw.phone)
    await ask(yaw, server().newPhone())
    expect(Object.keys(await numbersOf(yaw))).toEqual(
      expect.arrayContaining(['payout', 'pendingPayout']),
    )
    const { token } = await server().admin()
    const seen = present((await server().ask('adminUser', { token, id: yaw.user.ID })).value).user
    expect([seen.payout?.phone, seen.pendingPayout]).toEqual([yaw.phone, undefined])
  })

  test('R145, R175: a number that gets a new owner is the payout number of its former owner no more', async () => {
    const [yaw, kojo, esi] = [
      await server().driver(),
      await server().driver(),
      await server().driver(),
    ]
    const other = server().newPhone()
    await choose(yaw, yaw.phone)
    // Kojo's change to another number waits; Esi's change to her own counts already.
    await choose(kojo, kojo.phone)
    await choose(esi, server().newPhone())
    await choose(esi, esi.phone)
    server().clock.advance(24 * hour)
    await choose(kojo, other)
    await ask(esi, server().newPhone())
    for (const { phone } of [yaw, kojo, esi])
      await server().verify(await server().signUp('sender', { phone_number: phone }))
    for (const driver of [yaw, kojo, esi]) {
      expect(await counting(driver)).toBeUndefined()
      const { token } = await server().admin()
      const seen = await server().ask('adminUser', { token, id: driver.user.ID })
      expect(seen.value?.user).not.toHaveProperty('payout')
    }
    expect((await numbersOf(kojo)).nextPayout?.phone).toBe(other)
    // What was asked for another phone goes on.
    expect(await numbersOf(esi)).toHaveProperty('pendingPayout')
    server().clock.advance(25 * hour)
    expect(await counting(kojo)).toBe(other)
    // The next one counts at once.
    await choose(yaw, other)
    expect(await counting(yaw)).toBe(other)
  })

  test('R145, R175: a code that went to the number confirms no payouts once it has a new owner', async () => {
    const yaw = await server().driver()
    await ask(yaw, yaw.phone)
    const code = server().codeSentTo(yaw.phone)
    await server().verify(await server().signUp('sender', { phone_number: yaw.phone }))
    await expect(confirm(yaw, code)).rejects.toMatchObject({ reason: 'wrong-sms-code' })
    expect(await numbersOf(yaw)).not.toHaveProperty('pendingPayout')
  })

  test('R175: somebody else’s number stays a driver’s payout number when its owner signs up', async () => {
    const [yaw, phone] = [await server().driver(), server().newPhone()]
    await choose(yaw, phone)
    await server().verify(await server().signUp('sender', { phone_number: phone }))
    expect(await counting(yaw)).toBe(phone)
  })
})
