import { describe, expect, test } from 'vitest'
import * as queries from '#store/queries/queries.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createClock } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network, startedPhone, phoneOf } = serverOfFile()

describe('S25: bytes are counted', () => {
  test('up and down, bodies and headers, and an unchanged pull is small', async () => {
    const clock = createClock()
    const phone = await phoneOf(await server().sender(), { clock })
    const before = (await queries.syncStatus(phone.db)).today
    expect(before.up).toBeGreaterThan(1_000)
    expect(before.down).toBeGreaterThan(1_000)
    const calls = network().passed.length
    clock.pass(3_600_001)
    await phone.engine.wake()
    const { today } = await queries.syncStatus(phone.db)
    expect((today.down - before.down) / (network().passed.length - calls)).toBeLessThan(600)
  })

  test('what is tried with no network at all counts nothing', async () => {
    const clock = createClock()
    const phone = await startedPhone({ clock })
    await phone.settle()
    const before = (await queries.syncStatus(phone.db)).today
    network().cut()
    const photo = await phone.commands.savePhoto(new Uint8Array(50_000).buffer, 'image/jpeg')
    await phone.commands.requestDelivery(await filledDraft(phone.commands, { photo }), 'guest')
    for (const _ of [1, 2, 3]) {
      clock.pass(600_000)
      await phone.engine.wake()
    }
    expect((await queries.syncStatus(phone.db)).today).toEqual(before)
    network().restore()
  })

  test('a photo counts with its bytes', async () => {
    const phone = await startedPhone()
    const photo = new Uint8Array(50_000)
    photo.set([0xff, 0xd8, 0xff, 0xe0])
    const draft = await filledDraft(phone.commands, {
      photo: await phone.commands.savePhoto(photo.buffer, 'image/jpeg'),
    })
    await phone.commands.requestDelivery(draft, 'guest')
    await phone.settle()
    const { today } = await queries.syncStatus(phone.db)
    expect(today.up).toBeGreaterThan(50_000)
    expect(today.up).toBeLessThan(70_000)
  })
})
