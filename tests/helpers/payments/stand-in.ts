import { createHmac } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { present } from '../present.ts'

/** When a request fails: before the provider has acted, while it answers, or instead of its answer. */
type Fault = 'before' | 'during' | 'after'

type Transaction = {
  at: number
  id: number
  reference: string
  amount: number
  status: string
  phone: string
  provider: string
  email: string
  message?: string
}
type Transfer = {
  at: number
  reference: string
  amount: number
  status: string
  recipient: string
  account: string
  message?: string
}
type Refund = {
  at: number
  id: number
  transaction: number
  amount: number
  status: string
  merchant_note: string
}

/** What it does with the next ones; `fault` may be called for each request that changes something. */
type Behaviour = {
  /** The state that a new charge, transfer and refund begins with. */
  charge: () => string
  transfer: () => string
  refund: () => string
  /** The state of a charge once its voucher is in. */
  otp: (otp: string) => string
  /** What is asked about moves on first. */
  moved: (kind: 'charge' | 'transfer' | 'refund', status: string) => string
  fault: (path: string) => Fault | undefined
  /** Milliseconds since 1970. */
  clock: () => number
}

export const standInKey = 'sk_test_stand_in'

/**
 * Stands in for Paystack: its documented HTTP over a free port of loopback, with a book of its own. It refuses another key
 * and a reference that it has. States are what the test says.
 */
export async function startStandIn() {
  const transactions = new Map<string, Transaction>()
  const transfers = new Map<string, Transfer>()
  const refunds: Refund[] = []
  const recipients = new Map<string, string>()
  const requests: string[] = []
  let count = 0
  const behaviour: Behaviour = {
    charge: () => 'pay_offline',
    transfer: () => 'pending',
    refund: () => 'pending',
    otp: () => 'pay_offline',
    moved: (_kind, status) => status,
    fault: () => undefined,
    clock: Date.now,
  }
  const ok = (data: unknown, message = 'Done') => Response.json({ status: true, message, data })
  const refused = (status: number, message: string, code?: string) =>
    Response.json({ status: false, message, code }, { status })
  const asTransaction = (found: Transaction) => ({
    ...found,
    status: ['pay_offline', 'send_otp'].includes(found.status) ? 'ongoing' : found.status,
    gateway_response: found.message ?? '',
    currency: 'GHS',
  })
  const page = <T extends { at: number }>(all: T[], url: string) => {
    const { searchParams } = new URL(url)
    const [size, at] = [Number(searchParams.get('perPage')), Number(searchParams.get('page'))]
    const from = Date.parse(searchParams.get('from') ?? '1970-01-01')
    return all.filter((each) => each.at >= from).slice(size * (at - 1), size * at)
  }
  const givenBack = (id: number) =>
    refunds
      .filter(({ transaction, status }) => transaction === id && status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0)

  const app = new Hono()
  app.use(async (c, next) => {
    if (c.req.header('authorization') !== `Bearer ${standInKey}`)
      return refused(401, 'Invalid key', 'invalid_Key')
    requests.push(`${c.req.method} ${c.req.path}`)
    const fault = behaviour.fault(c.req.path)
    if (fault === 'before') return refused(503, 'Unavailable')
    await next()
    if (fault === 'after') c.res = refused(500, 'Internal error')
    if (fault === 'during') c.res = cutOff(await c.res.text())
    return undefined
  })
  app.post('/charge', async (c) => {
    const { reference, amount, email, currency, mobile_money: account } = await c.req.json()
    if (transactions.has(reference))
      return refused(400, 'Duplicate Transaction Reference', 'duplicate_reference')
    if (!/^0[2-5]\d{8}$/.test(account?.phone ?? '') || !email || currency !== 'GHS')
      return refused(400, 'Invalid phone number')
    const { phone, provider } = account
    const status = behaviour.charge()
    const at = behaviour.clock()
    const made = { at, id: ++count, reference, amount, status, phone, provider, email }
    transactions.set(reference, made)
    const words = { pay_offline: 'Approve the prompt', send_otp: 'Enter the voucher' }[status]
    return ok({ reference, status, display_text: words, amount }, 'Charge attempted')
  })
  app.post('/charge/submit_otp', async (c) => {
    const { reference, otp } = await c.req.json()
    const found = transactions.get(reference)
    if (found?.status !== 'send_otp') return refused(400, 'No voucher is asked for')
    found.status = behaviour.otp(otp)
    return ok({ reference, status: found.status, display_text: 'Approve the prompt' })
  })
  app.get('/transaction/verify/:reference', (c) => {
    const found = transactions.get(c.req.param('reference'))
    if (!found) return refused(404, 'Transaction reference not found.', 'transaction_not_found')
    found.status = behaviour.moved('charge', found.status)
    return ok(asTransaction(found), 'Verification successful')
  })
  app.post('/transferrecipient', async (c) => {
    const { type, name, account_number, bank_code, currency } = await c.req.json()
    if (type !== 'mobile_money' || !name || !['MTN', 'VOD', 'ATL'].includes(bank_code))
      return refused(400, 'Invalid recipient')
    if (currency !== 'GHS') return refused(400, 'Invalid currency')
    const code = `RCP_${account_number}_${bank_code}`
    recipients.set(code, account_number)
    return ok({ recipient_code: code })
  })
  app.post('/transfer', async (c) => {
    const { amount, recipient, reference, source } = await c.req.json()
    if (transfers.has(reference))
      return refused(400, 'Please provide a unique reference. Duplicate', 'duplicate_reference')
    const account = recipients.get(recipient)
    if (!account || source !== 'balance') return refused(400, 'Recipient specified is invalid')
    const [at, status] = [behaviour.clock(), behaviour.transfer()]
    const made = { at, reference, amount, status, recipient, account }
    transfers.set(reference, made)
    return ok({ ...made, transfer_code: `TRF_${reference}` }, 'Transfer has been queued')
  })
  app.get('/transfer/verify/:reference', (c) => {
    const found = transfers.get(c.req.param('reference'))
    if (!found) return refused(404, 'Transfer not found', 'transfer_not_found')
    found.status = behaviour.moved('transfer', found.status)
    return ok(found)
  })
  app.post('/refund', async (c) => {
    const { transaction, amount, merchant_note } = await c.req.json()
    const found = transactions.get(transaction)
    if (found?.status !== 'success') return refused(400, 'Transaction has not been paid')
    if (givenBack(found.id) + amount > found.amount)
      return refused(400, 'Refund amount is more than what is left of the transaction')
    const status = behaviour.refund()
    const at = behaviour.clock()
    const made = { at, id: ++count, transaction: found.id, amount, status, merchant_note }
    refunds.unshift(made)
    return ok({ ...made, transaction: asTransaction(found) }, 'Refund has been queued')
  })
  app.get('/refund', (c) => {
    const of = c.req.query('transaction')
    for (const each of refunds) each.status = behaviour.moved('refund', each.status)
    const found = refunds.filter(({ transaction }) => !of || String(transaction) === of)
    return ok(page(found, c.req.url))
  })
  app.get('/transaction', (c) => ok(page([...transactions.values()].map(asTransaction), c.req.url)))
  app.get('/transfer', (c) => ok(page([...transfers.values()], c.req.url)))

  const listener = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise((listening) => listener.once('listening', listening))
  const { port } = listener.address() as { port: number }

  return {
    url: `http://127.0.0.1:${port}`,
    transactions,
    transfers,
    refunds,
    /** `POST /charge` and so on, in order. */
    requests,
    behaviour,
    /** Moves the charge of this number that is under way. */
    decide(phone: string, status: 'success' | 'failed' | 'abandoned', message?: string) {
      const found = [...transactions.values()].findLast(
        (each) => each.phone === phone && !['success', 'failed'].includes(each.status),
      )
      Object.assign(present(found), { status, message })
    },
    /** What it holds now, in pesewas. */
    balance() {
      const sum = (amounts: { amount: number; status: string }[], ...statuses: string[]) =>
        amounts.reduce((all, each) => all + (statuses.includes(each.status) ? each.amount : 0), 0)
      return {
        in: sum([...transactions.values()], 'success'),
        out: sum([...transfers.values()], 'success'),
        back: sum(refunds, 'processed'),
      }
    },
    /** An event, as it signs it. */
    event(event: string, data: object, key = standInKey) {
      const body = JSON.stringify({ event, data })
      const signature = createHmac('sha512', key).update(body).digest('hex')
      return { body, signature }
    },
    close: () => new Promise((closed) => listener.close(closed)),
  }
}

/** A response that breaks off in its middle. */
const cutOff = (text: string) =>
  new Response(text.slice(0, text.length / 2), { headers: { 'content-type': 'application/json' } })
