import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { reasonTexts } from '#domain/errors.ts'
import { drawHandover } from '#store/deliveries/draw-handover.ts'
import { type Person, present } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

/* Guessing a delivery code (R135). */

const quarter = 15 * 60_000
const server = await serverFixture()
const admin = await server.admin()

type Caller = Pick<Person, 'token'>

const seenBy = async (by: Caller, id: string): Promise<Delivery> =>
  present((await server.ask('getDelivery', { token: by.token, id })).value).delivery

/** A delivery on its way, and the secret of its hand-over. */
async function carried() {
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const { secret, hashes } = drawHandover()
  const made = await server.delivery(ama, hashes)
  await server.drive(made, yaw, 'Picked Up')
  return { ama, yaw, secret, id: made.ID, code: present(made.deliveryCode) }
}

/** What the driver reads of a wrong code. */
async function readOfWrong(yaw: Person, id: string, code: string) {
  const { method, path } = endpoints.completeDelivery
  const about = { token: yaw.token, body: wrong(code) }
  return (await (await server.raw(method, path.replace(':id', id), about)).json()).error
}

const wrong = (code: string) => ({ code: code === '00000' ? '00001' : '00000' })

/** Tries wrong codes, five in each quarter of an hour (R60). */
async function guess(yaw: Person, id: string, code: string, times: number) {
  for (let n = 0; n < times; n++) {
    if (n > 0 && n % 5 === 0) server.clock.advance(quarter)
    expect(await server.said('completeDelivery', yaw, id, wrong(code))).toBe('400 wrong-code')
  }
}

/** What its sender is told with the app closed. */
const toldSender = async (id: string) => {
  const { rows } = await server
    .pool()
    .query(`select kind from notifications where delivery_id = $1 and kind = 'wrong-code'`, [id])
  return rows.length
}

/** What the office reads about wrong codes, newest first. */
async function toldOffice() {
  const { value } = await server.ask('adminActivities', { token: admin.token })
  return present(value).activities.filter(({ Message }) => Message.includes('wrong delivery codes'))
}

test('R60: a wrong code says how many tries are left, and what helps after the last', async () => {
  const { yaw, id, code } = await carried()
  const check = 'Wrong code. Check it with the recipient.'
  for (const left of ['4 tries left.', '3 tries left.', '2 tries left.', '1 try left.'])
    expect(await readOfWrong(yaw, id, code)).toBe(`${check} ${left}`)
  expect(await readOfWrong(yaw, id, code)).toBe(`${check} The next try is in 15 minutes.`)
  server.clock.advance(quarter)
  await guess(yaw, id, code, 5)
  server.clock.advance(quarter)
  await guess(yaw, id, code, 4)
  expect(await readOfWrong(yaw, id, code)).toBe(reasonTexts['code-locked'])
})

describe('R135: after fifteen wrong codes in all', () => {
  test('no code works any more, however long the driver waits, and all parties see that', async () => {
    const { ama, yaw, id, code } = await carried()
    await guess(yaw, id, code, 14)
    expect((await seenBy(ama, id)).codeLocked).toBeUndefined()
    await guess(yaw, id, code, 1)
    expect(await server.said('completeDelivery', yaw, id, { code })).toBe('409 code-locked')
    server.clock.advance(quarter)
    expect(await server.said('completeDelivery', yaw, id, { code })).toBe('409 code-locked')
    for (const by of [ama, yaw, admin]) expect((await seenBy(by, id)).codeLocked).toBe(true)
    const his = JSON.stringify(await seenBy(yaw, id))
    for (const hidden of [code, 'wrongCodes', 'newCodes']) expect(his).not.toContain(hidden)
  })

  test('the secret of the QR code still proves the hand-over, at once', async () => {
    const { yaw, id, code, secret } = await carried()
    await guess(yaw, id, code, 15)
    expect(await server.said('completeDelivery', yaw, id, { handoverSecret: secret })).toBe(200)
  })

  test('a new code opens it at once; the old one stays wrong', async () => {
    const { ama, yaw, id, code } = await carried()
    await guess(yaw, id, code, 15)
    const key = v7()
    const renewed = async () =>
      present((await server.ask('renewCode', { token: ama.token, id, key, body: {} })).value)
        .delivery
    const first = await renewed()
    expect(first).toMatchObject({ status: 'Picked Up', newCodes: 1 })
    expect(first.deliveryCode).toMatch(/^\d{5}$/)
    expect(first.deliveryCode).not.toBe(code)
    expect(first.codeLocked ?? first.wrongCodes).toBeUndefined()
    // A repeat is no second new code.
    expect((await renewed()).deliveryCode).toBe(first.deliveryCode)
    expect(await server.said('completeDelivery', yaw, id, { code })).toBe('400 wrong-code')
    const right = present(first.deliveryCode)
    expect(await server.said('completeDelivery', yaw, id, { code: right })).toBe(200)
  })

  test('on its way back the return code is guessed no further either', async () => {
    const { ama, yaw, id, code } = await carried()
    await server.bringBack(id, yaw)
    const { returnCode } = await seenBy(ama, id)
    const neither = ['00000', '00001', '00002'].find((each) => each !== code && each !== returnCode)
    for (let n = 0; n < 15; n++) {
      if (n % 5 === 0) server.clock.advance(quarter)
      expect(await server.said('completeDelivery', yaw, id, { code: neither })).toBe(
        '400 wrong-code',
      )
    }
    expect(await server.said('completeDelivery', yaw, id, { code: returnCode })).toBe(
      '409 code-locked',
    )
    expect(await server.said('renewCode', ama, id)).toBe(200)
    const renewed = await seenBy(ama, id)
    expect(renewed.returnCode).not.toBe(returnCode)
    expect(await server.said('completeDelivery', yaw, id, { code: renewed.returnCode })).toBe(200)
  })
})

describe('R135: a new code', () => {
  test('is given three times at most, to the sender alone, and while the job is under way', async () => {
    const ama = await server.sender()
    const made = await server.delivery(ama)
    expect(await server.said('renewCode', ama, made.ID)).toBe('409 wrong-status')
    const yaw = await server.driver()
    await server.drive(made, yaw, 'Accepted')
    expect(await server.said('renewCode', yaw, made.ID)).toBe('404 not-found')
    const codes = new Set([made.deliveryCode])
    for (let n = 0; n < 3; n++) {
      expect(await server.said('renewCode', ama, made.ID)).toBe(200)
      codes.add((await seenBy(ama, made.ID)).deliveryCode)
    }
    expect(codes.size).toBeGreaterThan(2)
    expect(await server.said('renewCode', ama, made.ID)).toBe('409 codes')
  })

  test('is given to a guest with the guest token', async () => {
    const [guest, yaw] = [await server.guestDelivery(), await server.driver()]
    await server.drive(guest.delivery, yaw, 'Accepted')
    const { ID } = guest.delivery
    expect(await server.said('renewCode', guest, ID, { guestPhone: '0240000009' })).toBe(
      '403 wrong-phone',
    )
    expect(await server.said('renewCode', guest, ID)).toBe(200)
    expect((await seenBy(guest, ID)).newCodes).toBe(1)
  })
})

test('R135: the sender and the office are told at the fifth wrong code and at the last', async () => {
  const { yaw, id, code } = await carried()
  const before = (await toldOffice()).length
  const counts: number[][] = []
  for (let n = 0; n < 15; n++) {
    if (n > 0 && n % 5 === 0) server.clock.advance(quarter)
    await guess(yaw, id, code, 1)
    counts.push([await toldSender(id), (await toldOffice()).length - before])
  }
  const expected = Array.from({ length: 15 }, (_, n) => (n < 4 ? [0, 0] : n < 14 ? [1, 1] : [2, 2]))
  expect(counts).toEqual(expected)
  const [last] = await toldOffice()
  expect(last?.Message).toContain('locked')
  expect(last?.Message).not.toContain(code)
})
