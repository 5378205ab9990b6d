import { describe, expect, test } from 'vitest'
import type { Op } from '#contract/endpoints.ts'
import { endpoints } from '#contract/endpoints.ts'
import { requestSchemaOf } from '#contract/queries.ts'
import { present } from '../../helpers/present.ts'
import { serverFixture } from '../server-fixture.ts'

const server = await serverFixture()

/** What a call needs beside its names. */
const bodies: Partial<Record<Op, () => Promise<{ token?: string; id?: string; body: object }>>> = {
  signup: async () => ({
    body: {
      name: 'Ama',
      email: `n${server.newPhone()}@example.com`,
      password: 'long enough',
      phone_number: server.newPhone(),
      role: 'sender',
    },
  }),
  changeProfile: async () => ({
    token: (await server.sender()).token,
    body: { firstName: 'Ama', lastName: 'Owusu', email: `m${server.newPhone()}@example.com` },
  }),
  inviteColleague: async () => ({
    token: (await server.admin()).token,
    body: { email: `i${server.newPhone()}@example.com`, role: 'support' },
  }),
  acceptInvitation: async () => {
    const body = { email: `a${server.newPhone()}@example.com`, role: 'support' as const }
    const { token } = await server.admin()
    const { link } = present((await server.ask('inviteColleague', { token, body })).value)
    return {
      id: new URL(link).hash.slice(1),
      body: { name: 'Yaa Boateng', password: 'long enough' },
    }
  },
  changePayout: async () => {
    const { token, phone } = await server.driver()
    return { token, body: { phone, network: 'mtn', name: 'Yaw Driver' } }
  },
  createDelivery: async () => ({
    token: (await server.sender()).token,
    body: server.request(),
  }),
  createGuestDelivery: async () => ({ body: server.guestRequest() }),
  correctDelivery: async () => ({
    token: (await server.admin()).token,
    id: (await server.delivery(await server.sender())).ID,
    body: { recipientName: 'Esi Newname', reason: 'Misspelt' },
  }),
  addZone: async () => ({ token: (await server.admin()).token, body: { name: 'Old Town' } }),
  addItem: async () => ({ token: (await server.admin()).token, body: { name: 'Old Things' } }),
  changeZone: async () => ({
    token: (await server.admin()).token,
    id: (await server.ask('zones')).value?.zones[0]?.ID,
    body: { name: 'New Town' },
  }),
  changeItem: async () => ({
    token: (await server.admin()).token,
    id: (await server.ask('items')).value?.items[0]?.ID,
    body: { name: 'New Things' },
  }),
}

const shapeOf = (op: Op): string[] => {
  const def = requestSchemaOf(op).body?._zod.def as { shape?: object } | undefined
  return Object.keys(def?.shape ?? {})
}
const fields = (Object.keys(endpoints) as Op[]).flatMap((op) =>
  shapeOf(op)
    .filter((field) => op !== 'login' && /name$|^e-?mail$/i.test(field))
    .map((field) => [op, field] as const),
)

describe('R152: the field', () => {
  test.each(fields)('of %s, %s, takes nothing unseen and imitates nobody', async (op, field) => {
    const { token, id = '', body } = await present(bodies[op])()
    const { method, status, ...line } = endpoints[op]
    const path = line.path.replace(/:\w+/, id)
    const isOfPerson = /name$/i.test(field) && !/(Zone|Item)$/.test(op)
    const value = (body as Record<string, string>)[field] ?? ''
    const [first = '', rest = ''] = [value.slice(0, 1), value.slice(1)]
    const bad = [`${first}\u202e${rest}`, `${first}\u200b${rest}`, `${first}\u0007${rest}`]
    if (isOfPerson) bad.push('Soma Support', 'Ѕоmа Support')
    for (const text of bad) {
      const answer = await server.raw(method, path, { token, body: { ...body, [field]: text } })
      expect([text, answer.status, (await answer.json()).reason]).toEqual([text, 400, 'invalid'])
    }
    expect((await server.raw(method, path, { token, body })).status).toBe(status)
  })
})
