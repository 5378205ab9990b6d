import { describe, expect, test } from 'vitest'
import * as lists from '#store/queries/lists.ts'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import * as queries from '#store/queries/queries.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network, phoneOf } = serverOfFile()

describe('S8, S14: whose the entries are', () => {
  test('a dead token pauses the queue without counting a try, and signing in sends it', async () => {
    const sender = await server().sender()
    const phone = await phoneOf(sender)
    network().cut()
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await server().endSessions(phone)
    network().restore()
    await phone.settle()
    expect(await queries.viewerSession(phone.db)).toMatchObject({ expired: true })
    const entry = (await outboxQueries.outbox(phone.db)).find((each) => each.id === id)
    expect(entry).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(phone.storage.get('token')).toBeUndefined()
    await phone.session.login(sender.email, sender.password)
    await phone.settle()
    expect(await server().held(id)).toHaveLength(1)
  })

  test('nothing of the first person is sent, or seen, while another is logged in', async () => {
    const first = await server().sender()
    const second = await server().sender()
    const phone = await phoneOf(first)
    network().setConditions((request) => (request.method === 'GET' ? 'fine' : 'request lost'))
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.session.logout('keep')
    network().restore()
    await phone.session.login(second.email, second.password)
    await phone.settle()
    expect(await server().held(id)).toHaveLength(0)
    expect(await lists.sent(phone.db)).toEqual([])
    await phone.session.logout('keep')
    await phone.session.login(first.email, first.password)
    await phone.settle()
    expect((await server().held(id))[0]).toMatchObject({ sender: { id: first.user.ID } })
  })
})
