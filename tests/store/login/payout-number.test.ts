import { expect, test } from 'vitest'
import { viewerSession } from '#store/queries/queries.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, phoneOf } = serverOfFile()

const me = async ({ db }: Phone) => (await viewerSession(db))?.user
const numberOf = (phone: string) => ({ phone, network: 'mtn' as const, name: 'Yaw' })

test('R175: a payout number is asked for and confirmed at once, or says that it needs a connection', async () => {
  const yaw = await server().driver()
  const phone = await phoneOf(yaw)
  network().setConditions(() => 'request lost')
  const asking = phone.session.changePayout(numberOf(yaw.phone))
  await expect(asking).rejects.toThrow('No connection right now')
  network().setConditions(() => 'fine')
  await phone.session.changePayout(numberOf(yaw.phone))
  expect(await me(phone)).toMatchObject({ pendingPayout: numberOf(yaw.phone) })
  await expect(phone.session.confirmPayout('000000')).rejects.toMatchObject({
    reason: 'wrong-sms-code',
  })
  await phone.session.confirmPayout(server().codeSentTo(yaw.phone))
  expect(await me(phone)).toMatchObject({ payout: numberOf(yaw.phone) })
})

test('R175: a confirmation whose response was lost counts as done when it is sent again', async () => {
  const yaw = await server().driver()
  const phone = await phoneOf(yaw)
  await phone.session.changePayout(numberOf(yaw.phone))
  const code = server().codeSentTo(yaw.phone)
  network().setConditions(() => 'answer lost')
  await expect(phone.session.confirmPayout(code)).rejects.toThrow('No connection right now')
  network().setConditions(() => 'fine')
  await phone.session.confirmPayout(code)
  expect(await me(phone)).toMatchObject({ payout: numberOf(yaw.phone) })
})
