import { describe, expect, test } from 'vitest'
import { applyOutcome } from '#server/rules/payments/apply-outcome.ts'
import { paidServerFixture } from '../../../helpers/payments/paid-server.ts'
import { present } from '../../../helpers/present.ts'

const server = await paidServerFixture()
const { standIn, sweep, later, seen, rows, held } = server

const available = async (token: string, since?: string) =>
  present((await server.ask('availableDeliveries', { token, query: { since } })).value)
const ledgerOf = (id: string) => server.repo.read(({ ledger }) => ledger.of(id))

describe('a delivery whose payment a provider holds', () => {
  test('R173: is on offer once the money is held, and not before', async () => {
    const sender = await server.sender()
    const driver = await server.driver()
    const { cursor } = await available(driver.token)
    const made = await server.delivery(sender)
    expect(made.payment?.status).toBe('waiting')
    expect(await ledgerOf(made.ID)).toEqual([])
    expect((await available(driver.token)).deliveries).toEqual([])
    expect(await server.said('acceptDelivery', driver, made.ID)).toBe('409 taken')
    const { status } = await server.raw('GET', `/deliveries/${made.ID}`, { token: driver.token })
    expect(status).toBe(404)

    await sweep()
    expect((await seen(sender, made.ID)).payment).toMatchObject({
      status: 'waiting',
      message: 'Approve the prompt',
    })
    expect([...standIn.transactions.values()].at(-1)).toMatchObject({
      amount: 6050,
      phone: sender.phone,
      provider: 'mtn',
      email: sender.email,
    })
    standIn.decide(sender.phone, 'success')
    await later(10_000)

    expect((await seen(sender, made.ID)).payment?.status).toBe('held')
    const { deliveries } = await available(driver.token, cursor)
    expect(deliveries).toMatchObject([{ ID: made.ID, payment: { status: 'held' } }])
    expect(await ledgerOf(made.ID)).toMatchObject([{ kind: 'hold' }])
    expect(await server.said('acceptDelivery', driver, made.ID)).toBe(200)
  })

  test('R176: a prompt that fails says why, and a new one to another number is held', async () => {
    const sender = await server.sender()
    const made = await server.delivery(sender)
    await sweep()
    standIn.decide(sender.phone, 'failed', 'Insufficient funds')
    await later(10_000)
    const { payment } = await seen(sender, made.ID)
    expect(payment).toMatchObject({ status: 'failed', message: 'Insufficient funds' })
    const body = { payer: { phone: '0201234567', network: 'vod' } }
    expect(await server.said('payDelivery', sender, made.ID, body)).toBe(200)
    await sweep()
    standIn.decide('0201234567', 'success')
    await later(10_000)
    expect((await seen(sender, made.ID)).payment?.status).toBe('held')
    expect(await server.said('payDelivery', sender, made.ID)).toBe('409 wrong-status')
  })

  test('R176: of two prompts that are approved one is kept, and the other goes back', async () => {
    const sender = await server.sender()
    const made = await server.delivery(sender)
    await sweep()
    expect(await server.said('payDelivery', sender, made.ID)).toBe('409 wrong-status')
    const body = { payer: { phone: '0551111111', network: 'mtn' } }
    expect(await server.said('payDelivery', sender, made.ID, body)).toBe(200)
    await sweep()
    standIn.decide('0551111111', 'success')
    standIn.decide(sender.phone, 'success')
    await later(10_000)
    const kinds = (await rows(made.ID)).map(({ kind, status }) => `${kind} ${status}`)
    expect(kinds).toEqual(['charge paid', 'charge paid', 'refund waiting'])
    expect((await seen(sender, made.ID)).payment?.status).toBe('held')
    await sweep()
    expect(standIn.refunds).toMatchObject([{ amount: 6050 }])
  })

  test('R176: one that is cancelled while it waits gets back what arrives late', async () => {
    const sender = await server.sender()
    const made = await server.delivery(sender)
    await sweep()
    await server.changeStatus(sender, made.ID, 'Cancelled')
    standIn.behaviour.refund = () => 'processed'
    standIn.decide(sender.phone, 'success')
    await later(10_000)
    await sweep()
    standIn.behaviour.refund = () => 'pending'
    expect(await seen(sender, made.ID)).toMatchObject({
      status: 'Cancelled',
      payment: { status: 'refunded' },
    })
    const kinds = (await ledgerOf(made.ID)).map(({ kind }) => kind)
    expect(kinds.sort()).toEqual(['hold', 'refund'])
  })

  test('R176: without a payer the sender pays by the network that gave out their number', async () => {
    const sender = await server.sender({ phone_number: '0200004711' })
    const { ID } = await server.delivery(sender)
    expect(await rows(ID)).toMatchObject([{ phone: '0200004711', network: 'vod' }])
  })

  test('R176: Telecel asks for a voucher, which is handed in once', async () => {
    const sender = await server.sender()
    standIn.behaviour.charge = () => 'send_otp'
    const made = await server.delivery(sender, { payer: { phone: sender.phone, network: 'vod' } })
    expect(await server.said('payDelivery', sender, made.ID, { otp: '123456' })).toBe(
      '409 wrong-status',
    )
    await sweep()
    standIn.behaviour.charge = () => 'pay_offline'
    await later(10_000)
    expect((await seen(sender, made.ID)).payment).toMatchObject({ status: 'waiting', otp: true })
    standIn.behaviour.otp = (otp) => (otp === '123456' ? 'success' : 'failed')
    expect(await server.said('payDelivery', sender, made.ID, { otp: '12x' })).toBe('400 invalid')
    expect(await server.said('payDelivery', sender, made.ID, { otp: '123456' })).toBe(200)
    await sweep()
    expect((await seen(sender, made.ID)).payment?.status).toBe('held')
  })

  test('R177: a charge whose answer was lost is asked about, and not made again', async () => {
    for (const fault of ['before', 'during', 'after'] as const) {
      const sender = await server.sender()
      const made = await server.delivery(sender)
      standIn.behaviour.fault = (path) => (path === '/charge' ? fault : undefined)
      await sweep()
      standIn.behaviour.fault = () => undefined
      await later(10_000)
      standIn.decide(sender.phone, 'success')
      await later(30_000)
      expect((await seen(sender, made.ID)).payment?.status).toBe('held')
      const charged = [...standIn.transactions.values()].filter(
        ({ phone }) => phone === sender.phone,
      )
      expect(charged).toHaveLength(1)
      expect((await rows(made.ID)).length).toBe(1)
    }
  })

  test('R177: two processes that move payments at once send each one once', async () => {
    const senders = await Promise.all(Array.from({ length: 8 }, () => server.sender()))
    const made = await Promise.all(senders.map((sender) => server.delivery(sender)))
    const before = standIn.requests.length
    await Promise.all([sweep(), sweep(), sweep()])
    const sent = standIn.requests.slice(before).filter((each) => each === 'POST /charge')
    expect(sent).toHaveLength(made.length)
  })

  test('R177: an answer that another one has overtaken counts only where a charge has succeeded', async () => {
    const sender = await server.sender()
    const made = await server.delivery(sender)
    await sweep()
    const taken = present((await rows(made.ID))[0])
    await server.changeStatus(sender, made.ID, 'Cancelled')
    await later(10_000)
    await applyOutcome(server.ports, taken, { status: 'failed' })
    expect(await rows(made.ID)).toMatchObject([{ kind: 'charge', status: 'sent' }])
    for (let times = 0; times < 2; times++)
      await applyOutcome(server.ports, taken, { status: 'paid' })
    expect(await rows(made.ID)).toMatchObject([
      { kind: 'charge', status: 'paid' },
      { kind: 'refund', status: 'waiting', pesewas: 6050 },
    ])
  })

  test('R173: an amount that differs from ours moves nothing', async () => {
    const sender = await server.sender()
    const made = await server.delivery(sender)
    await sweep()
    standIn.decide(sender.phone, 'success')
    const charge = [...standIn.transactions.values()].at(-1)
    Object.assign(present(charge), { amount: 1 })
    await later(10_000)
    expect((await seen(sender, made.ID)).payment?.status).toBe('failed')
    expect(await ledgerOf(made.ID)).toEqual([])
  })

  test('R179: a raised offer counts once its difference is held', async () => {
    const sender = await server.sender()
    const made = await held(sender)
    expect(await server.said('raiseOffer', sender, made.ID, { offer: 70 })).toBe(200)
    expect(await seen(sender, made.ID)).toMatchObject({ offer: 60.5, status: 'Pending' })
    expect(await server.said('raiseOffer', sender, made.ID, { offer: 75 })).toBe('409 wrong-status')
    await sweep()
    standIn.decide(sender.phone, 'failed', 'Declined')
    await later(10_000)
    const failed = await seen(sender, made.ID)
    expect(failed).toMatchObject({ offer: 60.5, payment: { status: 'held' } })
    expect(failed.payment?.message).toContain('Declined')
    expect(await server.said('raiseOffer', sender, made.ID, { offer: 70 })).toBe(200)
    await sweep()
    standIn.decide(sender.phone, 'success')
    await later(10_000)
    expect((await seen(sender, made.ID)).offer).toBe(70)
    const kinds = (await ledgerOf(made.ID)).map(({ kind }) => kind)
    expect(kinds).toEqual(['hold', 'raise'])
  })

  test('R179: nothing is said of a higher offer any more once the job is taken at the old one', async () => {
    const [sender, driver] = [await server.sender(), await server.driver()]
    const made = await held(sender)
    await server.said('raiseOffer', sender, made.ID, { offer: 70 })
    await sweep()
    await server.drive(made, driver, 'Delivered')
    standIn.decide(sender.phone, 'failed', 'Declined')
    await later(10_000)
    await server.changeStatus(sender, made.ID, 'Approved')
    const { status, payment } = await seen(sender, made.ID)
    expect([status, payment?.status, payment?.message]).toEqual(['Approved', 'released', undefined])
  })
})

test('a payer of another form is refused', async () => {
  const sender = await server.sender()
  for (const payer of [
    { phone: '12', network: 'mtn' },
    { phone: '0244444444', network: 'voda' },
    { phone: '0144444444', network: 'mtn' },
    { phone: 244444444, network: 'mtn' },
    { network: 'mtn' },
    'mtn',
  ]) {
    const body = { ...server.request(), payer }
    const { status } = await server.raw('POST', '/sender/deliveries', { token: sender.token, body })
    expect(status).toBe(400)
  }
})
