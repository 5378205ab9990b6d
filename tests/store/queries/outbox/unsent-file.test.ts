import { afterEach, beforeEach, expect, test } from 'vitest'
import { countForOthers } from '#store/queries/outbox/outbox.ts'
import { unsentFile } from '#store/queries/outbox/unsent-file.ts'
import { createDevice, filledDraft, jpeg, person, signIn } from '../../../helpers/device/device.ts'

let device: ReturnType<typeof createDevice>
beforeEach(() => {
  device = createDevice()
})
afterEach(() => device.db.delete())

const saved = async () => JSON.parse(await (await unsentFile(device.db, Date.now())).text())

test('S30: the file holds everything unsent, with its photos, and the draft', async () => {
  const { db, commands } = device
  const draft = await filledDraft(commands)
  const id = await commands.requestDelivery(draft, 'guest')
  const typed = await filledDraft(commands, { itemDescription: 'Kente' })
  await commands.saveDraft(typed)
  const file = await saved()
  expect(file.items.map(({ what }: { what: string }) => what)).toEqual([
    'uploadPhoto',
    'createGuestDelivery',
  ])
  expect(file.items[1]).toMatchObject({
    id,
    title: 'Laptop',
    state: 'waiting',
    details: { recipientPhone: '0244123456', offer: 60, pickupZone: 'Osu' },
  })
  expect(file.draft).toMatchObject({ itemDescription: 'Kente' })
  for (const photo of [draft.photo, typed.photo])
    expect(file.photos[photo ?? '']).toBe(
      `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`,
    )
  // What proves the guest to the server is nobody else's to read.
  const secret = (await db.outbox.toArray()).map(({ input }) => Object(input).guestSecret).join('')
  expect(secret.length).toBeGreaterThan(20)
  expect(JSON.stringify(file)).not.toContain(secret)
})

test('S30: a large photo arrives whole, and what was sent or taken back is left out', async () => {
  const { db, commands } = device
  const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251)
  const photo = await commands.savePhoto(bytes.buffer, 'image/jpeg')
  const id = await commands.requestDelivery(await filledDraft(commands, { photo }), 'guest')
  const { photos } = await saved()
  expect(Buffer.from(photos[photo].split(',')[1], 'base64').equals(bytes)).toBe(true)
  await commands.discard(id)
  await db.outbox.toCollection().modify({ state: 'done' })
  expect(await saved()).toMatchObject({ items: [], photos: {} })
})

test('S8: nothing of another account is in the file; that something waits is told to nobody else', async () => {
  const { db, commands } = device
  await signIn(db, person('ama', 'sender'))
  await commands.requestDelivery(await filledDraft(commands), 'account')
  expect(await countForOthers(db)).toBe(0)
  await signIn(db, person('kojo', 'sender'))
  expect(await saved()).toMatchObject({ items: [], photos: {} })
  expect(await countForOthers(db)).toBe(0)
  await db.sessions.clear()
  expect(await saved()).toMatchObject({ items: [], photos: {} })
  expect(await countForOthers(db)).toBe(1)
})
