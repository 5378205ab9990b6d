import { expect, test } from 'vitest'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { present } from '../../../helpers/server/server.ts'
import { overBothAdapters } from '../../both-adapters.ts'

overBothAdapters((server) => {
  const asAdmin = async () => (await server().admin()).token
  const search = async (q: string) =>
    present((await server().ask('adminSearch', { token: await asAdmin(), query: { q } })).value)
  const idsOf = (rows: { ID: string }[]) => rows.map(({ ID }) => ID)

  /** The four lists' own searches, as the search over everything. */
  async function listed(text: string) {
    const about = { token: await asAdmin(), query: { search: text } }
    return {
      people: idsOf(present((await server().ask('adminUsers', about)).value).users),
      drivers: idsOf(present((await server().ask('adminDrivers', about)).value).drivers),
      deliveries: idsOf(present((await server().ask('adminDeliveries', about)).value).deliveries),
      disputes: idsOf(present((await server().ask('adminDisputes', about)).value).disputes),
    }
  }

  test('R186: a number of anybody finds people, deliveries and disputes, in whatever spelling', async () => {
    const ama = await server().sender({ phone_number: '0244123456', name: 'Ama Sender' })
    const yaw = await server().driver({ phone_number: '0207654321', idNumber: 'GHA-724008888-1' })
    const made = await server().delivery(ama, { recipientPhone: '0551112223' })
    const dispute = await server().report(ama, made.ID)
    await server().drive(made, yaw, 'Accepted')
    const guest = await server().guestDelivery({ senderPhone: '0269876543' })
    await server().guestDelivery()

    const [sender, driver] = [[ama.user.ID], [yaw.user.ID]]
    const of = { deliveries: [made.ID], disputes: [dispute.ID] }
    const cases: [string[], { people: string[]; deliveries: string[]; disputes: string[] }][] = [
      [
        ['0244123456', '233244123456', '+233 24 412 3456', '024-412-3456', '024 412 345'],
        { people: sender, ...of },
      ],
      [['0207654321', '+233 207 654 321', '00233 (0) 207654321'], { people: driver, ...of }],
      [['0551112223', '233 55 111 2223'], { people: [], ...of }],
      [
        ['0269876543', '+233269876543'],
        { people: [], deliveries: [guest.delivery.ID], disputes: [] },
      ],
      [[ama.email], { people: sender, ...of }],
      [['GHA-724008888-1', 'gha-7240'], { people: driver, deliveries: [], disputes: [] }],
      [[referenceOf(made.ID)], { people: [], ...of }],
      [[referenceOf(dispute.ID)], { people: [], deliveries: [], disputes: [dispute.ID] }],
      [['ama sEndér'], { people: sender, ...of }],
    ]
    for (const [spellings, wanted] of cases)
      for (const q of spellings) {
        const found = await search(q)
        expect(
          {
            people: idsOf(found.people),
            deliveries: idsOf(found.deliveries),
            disputes: idsOf(found.disputes),
          },
          q,
        ).toEqual(wanted)
        const drivers = wanted.people === driver ? driver : []
        expect(await listed(q), q).toEqual({ ...wanted, drivers })
      }
  })

  test('R186: the newest come first, at most twenty of a kind, and a zone is found by its name', async () => {
    const made: string[] = []
    for (let n = 0; n < 22; n++) {
      server().clock.advance(1_000)
      made.unshift((await server().guestDelivery({ senderName: 'Zebra Guest' })).delivery.ID)
    }
    expect(idsOf((await search('zebra')).deliveries)).toEqual(made.slice(0, 20))
    expect((await search('osu')).zones.map(({ Name }) => Name)).toEqual(['Osu'])
  })
})
