import { expect, test } from 'vitest'
import type { BodyOf } from '#contract/queries.ts'
import { everyDay } from '#domain/users/commutes.ts'
import { type Person, present } from '../../../helpers/server/server.ts'
import { overIndexedDb } from '../../both-adapters.ts'

overIndexedDb((server) => {
  const refused = (reason: string) => expect.objectContaining({ reason })
  const admin = async () => ({ token: (await server().admin()).token })
  const zones = async () => present((await server().ask('zones')).value).zones
  const items = async () => present((await server().ask('items')).value).items
  const named = <C extends { Name: string }>(all: C[], name: string) =>
    present(all.find(({ Name }) => Name === name))
  const changeZone = async (name: string, body: BodyOf<'changeZone'>) =>
    server().ask('changeZone', { ...(await admin()), id: named(await zones(), name).ID, body })
  const changeItem = async (name: string, body: BodyOf<'changeItem'>) =>
    server().ask('changeItem', { ...(await admin()), id: named(await items(), name).ID, body })
  const me = async ({ token }: Person) => present((await server().ask('me', { token })).value).user
  const commute = (from: string, to: string) => ({ from, to, days: [...everyDay], notify: true })
  const newName = () => `Zone ${crypto.randomUUID().slice(0, 8)}`

  test('R206: a renamed zone keeps its place, centre and roads; commutes follow it and deliveries keep the old name', async () => {
    const [yaw, efua] = [await server().driver(), await server().driver()]
    const setCommutes = (who: Person, commutes: object[]) =>
      server().raw('PUT', '/driver/commutes', { token: who.token, body: { commutes } })
    await setCommutes(yaw, [commute('Tema', 'Labone'), commute('Labone', 'Osu')])
    await setCommutes(efua, [commute('Tema', 'Osu')])
    const old = await server().delivery(await server().sender(), {
      pickupZone: 'Labone',
      dropoffZone: 'Osu',
    })
    const before = await zones()
    const name = newName()
    const { value } = await changeZone('Labone', { name: ` ${name} ` })
    expect(value?.zone).toMatchObject({ Name: name, former: ['Labone'] })
    const after = await zones()
    const text = JSON.stringify(before).replaceAll('Labone', name)
    expect(after.map(({ former: _, ...zone }) => zone)).toEqual(JSON.parse(text))
    expect((await me(yaw)).commutes).toMatchObject([
      { from: 'Tema', to: name, days: everyDay },
      { from: name, to: 'Osu' },
    ])
    expect((await me(yaw)).notifications?.routes).toEqual([
      { from: 'Tema', to: name },
      { from: name, to: 'Osu' },
    ])
    expect((await me(efua)).commutes).toMatchObject([{ from: 'Tema', to: 'Osu' }])

    // A job with the old name is still on the way, and whoever names it is understood.
    const query = { from: name, to: 'Osu' }
    const offered = await server().ask('availableDeliveries', { token: yaw.token, query })
    expect(present(offered.value).deliveries).toMatchObject([{ ID: old.ID, pickupZone: 'Labone' }])
    const late = await server().delivery(await server().sender(), { pickupZone: 'Labone' })
    expect(late.pickupZone).toBe(name)
    await setCommutes(efua, [commute('Labone', 'Osu')])
    expect((await me(efua)).commutes).toMatchObject([{ from: name, to: 'Osu' }])

    // The name is free again, and a zone may have its old one back.
    await changeZone(name, { name: 'Labone' })
    expect(named(await zones(), 'Labone').former).toEqual([name])
  })

  test('R206, R86: a name that is taken or cannot be one is refused, and nothing changes', async () => {
    const all = JSON.stringify([await zones(), await items()])
    const wrong: [() => Promise<unknown>, string][] = [
      [() => changeZone('Tema', { name: ' oSU' }), 'name-taken'],
      [() => changeZone('Tema', { name: 'A|B' }), 'invalid'],
      [() => changeItem('Keys', { name: 'laptop' }), 'name-taken'],
      [() => changeItem('Keys', { name: ' ' }), 'invalid'],
      [() => changeItem('Keys', { place: -1 }), 'invalid'],
      [() => changeZone('Tema', { place: 1.5 }), 'invalid'],
    ]
    for (const [ask, reason] of wrong) await expect(ask()).rejects.toEqual(refused(reason))
    expect(JSON.stringify([await zones(), await items()])).toBe(all)
    // Another spelling of its own name is none that is taken.
    expect((await changeItem('Keys', { name: 'KEYS' })).value?.item.Name).toBe('KEYS')
    await changeItem('KEYS', { name: 'Keys' })
  })

  test('R207: zones and item types stand in the order that the office gives them, new ones last', async () => {
    const names = async () => (await items()).map(({ Name }) => Name)
    const [first, ...others] = await names()
    await changeItem('Keys', { place: 1 })
    expect((await names())[0]).toBe('Keys')
    await changeItem('Keys', { place: 3 })
    expect((await names()).slice(0, 4)).toEqual([first, others[0], 'Keys', others[1]])
    await changeItem(present(first), { place: 9_999 })
    expect((await names()).at(-1)).toBe(first)
    await server().ask('addItem', { ...(await admin()), body: { name: 'Kente' } })
    expect((await names()).at(-1)).toBe('Kente')
    const km = JSON.stringify(named(await zones(), 'Tema').roads?.length)
    const { value } = await changeZone('Tema', { place: 0, lat: 5.6, lng: 0.01 })
    expect(value?.zone).toMatchObject({ Name: 'Tema', lat: 5.6 })
    expect((await zones())[0]).toMatchObject({ Name: 'Tema', lat: 5.6 })
    expect(JSON.stringify((await zones())[0]?.roads?.length)).toBe(km)
  })

  test('R208: what deliveries under way use is deleted only when that is confirmed, with how many they are', async () => {
    const about = await admin()
    const name = newName()
    await server().ask('addZone', { ...about, body: { name } })
    const sender = await server().sender()
    const made = await server().delivery(sender, { pickupZone: name, itemDescription: 'Clothing' })
    await server().delivery(await server().sender(), { dropoffZone: name, pickupZone: 'Tema' })
    const { ID: id } = named(await zones(), name)
    const remove = async (op: 'removeZone' | 'removeItem', id: string, query = '') => {
      const path = op === 'removeZone' ? 'zones' : 'items'
      const answer = await server().raw('DELETE', `/admin/${path}/${id}${query}`, about)
      return { status: answer.status, body: await answer.json() }
    }
    const inUse = (count: number) => ({ status: 409, body: { reason: 'in-use', count } })
    const clothing = named(await items(), 'Clothing').ID
    expect(await remove('removeItem', clothing)).toMatchObject(inUse(1))
    expect(await remove('removeZone', id)).toMatchObject(inUse(2))
    // Also by the name that it had.
    await changeZone(name, { name: `${name} 2` })
    expect(await remove('removeZone', id)).toMatchObject(inUse(2))
    await server().changeStatus(sender, made.ID, 'Cancelled')
    expect(await remove('removeZone', id)).toMatchObject(inUse(1))
    expect((await remove('removeItem', clothing)).status).toBe(200)
    expect(await zones()).toContainEqual(expect.objectContaining({ ID: id }))
    expect((await remove('removeZone', id, '?confirm=1')).status).toBe(200)
    expect((await remove('removeZone', id, '?confirm=1')).status).toBe(404)
  })
})
