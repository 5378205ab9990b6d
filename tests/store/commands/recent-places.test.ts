import { beforeEach, expect, test, vi } from 'vitest'
import type { SendDraft } from '#domain/deliveries/draft.ts'
import { signIn as logIn, signOut } from '#store/account/sign-in.ts'
import { mostPlaces } from '#store/deliveries/recent-places.ts'
import { evict } from '#store/maintenance/evict.ts'
import { checkRows } from '#store/maintenance/row-checks.ts'
import { draft } from '#store/queries/queries.ts'
import { recentPlaces } from '#store/queries/suggestions.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, filledDraft, person } from '../../helpers/device/device.ts'

let device: ReturnType<typeof createDevice>
let time = 1
beforeEach(() => {
  device = createDevice()
  vi.spyOn(Date, 'now').mockImplementation(() => time++)
  return () => vi.restoreAllMocks()
})

const place = () => ({ db: device.db, clock: { now: () => time }, cachePrefix: '' })
const request = async (change: Partial<SendDraft>, mode: 'guest' | 'account' = 'guest') =>
  device.commands.requestDelivery(await filledDraft(device.commands, change), mode)
const texts = async (zone = '') =>
  (await recentPlaces(device.db, zone)).map((each) => each.place.text)

test('R112: places are kept with the request, the latest first, by zone', async () => {
  const id = await request({
    pickupPlace: { text: ' Blue gate ', note: '', lat: 5.5, lng: -0.1, accuracy: 8 },
    dropoffPlace: { text: 'GA-183-8164', note: 'Call' },
  })
  await request({ pickupPlace: { text: 'Kiosk' } })
  await request({})
  expect(await texts('Osu')).toEqual(['Kiosk', 'Blue gate'])
  expect(await texts('Tema')).toEqual(['GA-183-8164'])
  expect(await texts('Madina')).toEqual([])
  expect((await texts()).length).toBe(3)
  const entry = await device.db.outbox.where('id').equals(id).first()
  expect(entry?.input).toMatchObject({
    pickupPlace: { text: 'Blue gate', lat: 5.5, lng: -0.1 },
    dropoffPlace: { text: 'GA-183-8164', note: 'Call' },
  })
  expect(JSON.stringify(entry?.input)).not.toContain('accuracy')
})

test('R112: the same place is kept once, as it was said last', async () => {
  await request({ pickupPlace: { text: 'Blue gate', note: 'Left' } })
  await request({ pickupPlace: { text: 'Kiosk' } })
  await request({ pickupPlace: { text: 'blue  Gate', note: 'Right' } })
  expect(await texts('Osu')).toEqual(['blue  Gate', 'Kiosk'])
  expect((await recentPlaces(device.db, 'Osu'))[0]?.place.note).toBe('Right')
  // Of two pins without words, those of one house are one; in another zone the same words are another place.
  await request({ pickupPlace: { lat: 5.55601, lng: -0.18 }, dropoffPlace: { text: 'Kiosk' } })
  await request({ pickupPlace: { lat: 5.55602, lng: -0.18 } })
  expect(await texts('Osu')).toEqual([undefined, 'blue  Gate', 'Kiosk'])
  expect(await texts('Tema')).toEqual(['Kiosk'])
})

test('R112: only the latest dozen stay', async () => {
  for (let at = 0; at < mostPlaces + 5; at++) await request({ pickupPlace: { text: `Door ${at}` } })
  const kept = await texts()
  expect(kept).toHaveLength(mostPlaces)
  expect([kept[0], kept.at(-1)]).toEqual([`Door ${mostPlaces + 4}`, 'Door 5'])
})

test('R112: a request that is refused keeps no place', async () => {
  await expect(request({ pickupPlace: { text: 'x'.repeat(201) } })).rejects.toMatchObject({
    reason: 'invalid',
  })
  expect(await texts()).toEqual([])
})

test('R112: a place can be removed', async () => {
  await request({ pickupPlace: { text: 'Blue gate' }, dropoffPlace: { text: 'Kiosk' } })
  const [first] = await recentPlaces(device.db, 'Osu')
  await device.commands.forgetPlace(first?.key ?? '')
  expect(await texts()).toEqual(['Kiosk'])
})

test('R112, S38: places are of one account, and a logout forgets them', async () => {
  await request({ pickupPlace: { text: 'Of the guest' } })
  await logIn(place(), person('ama', 'sender'), 'token')
  expect(await texts()).toEqual([])
  await request({ pickupPlace: { text: 'Of Ama' } }, 'account')
  expect(await texts()).toEqual(['Of Ama'])
  await signOut(place(), 'ama')
  expect(await texts()).toEqual(['Of the guest'])
  expect(await device.db.places.count()).toBe(1)
})

test('R112, S26: on a full phone places make way', async () => {
  await request({ pickupPlace: { text: 'Blue gate' } })
  await evict(device.db)
  expect(await texts()).toEqual([])
})

test('R112, S18: a row that cannot be read is left out', async () => {
  await request({ pickupPlace: { text: 'Blue gate' } })
  const spoiled = { account: 'guest', key: 'x', zone: 'Osu', place: { lat: 'x' }, usedAt: 9e9 }
  await device.db.places.put(spoiled as never)
  expect(await texts()).toEqual(['Blue gate'])
})

test('R112, S18: a draft whose place is too long is kept, and not set aside', async () => {
  const typed = await filledDraft(device.commands, { pickupPlace: { note: 'x'.repeat(500) } })
  await device.commands.saveDraft(typed)
  expect(await checkRows(device.db, 1)).toBe(0)
  expect(await draft(device.db)).toEqual(typed)
})

test('R20, R112: a request that is sent again brings its places', async () => {
  await logIn(place(), person('ama', 'sender'), 'token')
  const places = { pickupPlace: { text: 'Blue gate' }, dropoffPlace: { lat: 5.6, lng: -0.1 } }
  const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
  const row = deliveryOf('d1', { sender: ama, status: 'Approved', ...places } as never)
  await saveRows(device.db, 'ama', [row])
  await device.commands.sendAgain('d1')
  expect(await draft(device.db)).toMatchObject(places)
})

test('R112: a refused request that is edited has its places', async () => {
  const places = { pickupPlace: { text: 'Blue gate' }, dropoffPlace: { text: 'Kiosk' } }
  const id = await request(places)
  await device.db.outbox.where('id').equals(id).modify({ state: 'refused' })
  await device.commands.editAndResend(id)
  expect(await draft(device.db)).toMatchObject(places)
})
