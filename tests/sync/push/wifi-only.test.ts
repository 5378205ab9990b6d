import { describe, expect, test } from 'vitest'
import { filledDraft } from '../../helpers/device/device.ts'
import type { createPhone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network, startedPhone } = serverOfFile()

describe('S62: photos wait for Wi-Fi where the person chose so', () => {
  async function phoneOn(isOnMobileData: () => boolean) {
    const ama = await server().sender()
    const phone = await startedPhone({ isOnMobileData })
    await phone.session.login(ama.email, ama.password)
    await phone.commands.changeDataSaver({ wifiOnly: true })
    return phone
  }
  const waiting = async ({ db }: ReturnType<typeof createPhone>) =>
    (await db.outbox.toArray()).filter(({ state }) => state === 'waiting').map(({ op }) => op)

  test('on mobile data the photo and its request wait, and everything else is sent', async () => {
    let mobile = true
    const phone = await phoneOn(() => mobile)
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.commands.changePhone(server().newPhone())
    for (let round = 0; round < 3; round++) await phone.engine.wake()
    expect((await waiting(phone)).sort()).toEqual(['createDelivery', 'uploadPhoto'])
    expect(network().passed.some(({ path }) => path.includes('images'))).toBe(false)
    // No round begins by itself again and again.
    const before = network().passed.length
    await phone.engine.runRound()
    await phone.engine.runRound()
    expect(network().passed.length - before).toBeLessThan(4)

    mobile = false
    await phone.settle()
    expect(await waiting(phone)).toEqual([])
    expect(await server().held(id)).toMatchObject([{ status: 'Pending' }])
  })

  test('sent on mobile data after all, once the person says so', async () => {
    const phone = await phoneOn(() => true)
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    for (let round = 0; round < 2; round++) await phone.engine.wake()
    expect(await server().held(id)).toEqual([])
    await phone.commands.changeDataSaver({ wifiOnly: false })
    await phone.settle()
    expect(await server().held(id)).toHaveLength(1)
  })

  test('nothing is held on another network, or where nobody chose', async () => {
    const phone = await phoneOn(() => false)
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.settle()
    expect(await server().held(id)).toHaveLength(1)
  })
})
