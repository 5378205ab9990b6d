import { beforeEach, expect, test } from 'vitest'
import { maxViewName, mostViews } from '#domain/office/saved-view.ts'
import { signIn as logIn, signOut } from '#store/account/sign-in.ts'
import { savedViews } from '#store/queries/admin/saved-views.ts'
import { createDevice, person } from '../../helpers/device/device.ts'

let device: ReturnType<typeof createDevice>
const place = () => ({ db: device.db, clock: { now: () => 1 }, cachePrefix: '' })
beforeEach(async () => {
  device = createDevice()
  await logIn(place(), person('esi', 'admin'), 'token')
})

const list = 'adminDeliveries'
const save = (name: string, query = 'status=Pending') =>
  device.commands.saveView({ list, name, query })
const names = async (of = list) => (await savedViews(device.db, of)).map(({ name }) => name)

test('R229: a view is kept under its name with the list it is of, and removed', async () => {
  await save(' To Tema ', 'dropoffZone=Tema&sort=-offer')
  await save('Area 10')
  await save('Area 9')
  await device.commands.saveView({ list: 'adminDrivers', name: 'To Tema', query: 'q=tema' })
  expect(await names()).toEqual(['Area 9', 'Area 10', 'To Tema'])
  expect((await savedViews(device.db, list))[2]?.query).toBe('dropoffZone=Tema&sort=-offer')
  await device.commands.removeView({ list, name: 'To Tema' })
  expect(await names()).toEqual(['Area 9', 'Area 10'])
  expect(await names('adminDrivers')).toEqual(['To Tema'])
})

test('R229: a name is not empty, not too long, and used once on its list', async () => {
  const longest = 'x'.repeat(maxViewName)
  await save(longest)
  for (const name of [' ', `${longest}y`, longest.toUpperCase()])
    await expect(save(name)).rejects.toMatchObject({ reason: 'invalid' })
  expect(await names()).toEqual([longest])
})

test('R229: a list has at most 20 views, also when two tabs save at once', async () => {
  for (let at = 1; at < mostViews; at++) await save(`View ${at}`)
  const [one, other] = await Promise.allSettled([save('One'), save('Other')])
  expect([one?.status, other?.status].sort()).toEqual(['fulfilled', 'rejected'])
  expect(await names()).toHaveLength(mostViews)
})

test('R229, S38: views are of one account, and its logout forgets them', async () => {
  await save('Of Esi')
  await signOut(place(), 'esi')
  expect(await device.db.meta.filter(({ key }) => key.startsWith('views:')).count()).toBe(0)
  await logIn(place(), person('kwame', 'admin'), 'token')
  expect(await names()).toEqual([])
  await save('Of Kwame')
  expect(await names()).toEqual(['Of Kwame'])
})
