import { afterEach, beforeAll, expect, test } from 'vitest'
import { loadLazy } from '#store/load-lazy.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { endAll, lostEntries, start } from './restored-phones.ts'

beforeAll(async () => {
  await loadLazy()
})
afterEach(endAll)

/** A guest cancels a request; `phone.db` knows it by the reply alone. */
async function cancelledRequest() {
  const about = await start()
  const phone = await about.phoneOf()
  const beforeAll = await about.database.backup()
  const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
  await phone.later()
  const beforeCancel = await about.database.backup()
  about.network.setConditions(({ method }) => (method === 'GET' ? 'request lost' : 'fine'))
  await phone.commands.cancelDelivery(id)
  await phone.later()
  const shown = async () => (await phone.db.deliveries.toArray()).map(({ view }) => view.status)
  expect(await shown()).toEqual(['Cancelled'])
  about.noEvents()
  return { ...about, phone, id, shown, beforeAll, beforeCancel }
}

test('S80, S54: a cancelled request is asked for once an hour, and a restored server shows it on offer again', async () => {
  const { phone, shown, beforeCancel } = await cancelledRequest()
  await phone.later()
  await beforeCancel()
  for (let at = 0; at < 4; at++) await phone.later(20)
  expect(await shown()).toEqual(['Pending'])
  expect(await lostEntries(phone)).toMatchObject([{ op: 'cancelDelivery' }])
})

test('S80: a cancelled request that the restored server lost leaves the phone', async () => {
  const { phone, shown, beforeAll } = await cancelledRequest()
  await beforeAll()
  for (let at = 0; at < 4; at++) await phone.later(20)
  expect(await shown()).toEqual([])
  expect(await lostEntries(phone)).toEqual([])
})
