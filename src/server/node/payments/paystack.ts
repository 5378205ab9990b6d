import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaymentOutcome, PaymentProvider, ProviderLine } from '../../ports/payment-provider.ts'

type PaystackSettings = { secretKey: string; url: string }

/** Milliseconds for one request. */
const timeout = 15_000
/** Lines of one page of a list. */
const perPage = 100

/** Paystack's API for mobile money of Ghana (R173). Amounts are in pesewas. */
export function paystack({ secretKey, url }: PaystackSettings): PaymentProvider {
  const ask = asker(secretKey, url)

  /** All lines of a list. */
  async function all(path: string): Promise<Fields[]> {
    const found: Fields[] = []
    for (let page = 1; ; page++) {
      const { data } = await ask('GET', `${path}&perPage=${perPage}&page=${page}`)
      const lines = Array.isArray(data) ? data.map(fieldsOf) : []
      found.push(...lines)
      if (lines.length < perPage) return found
    }
  }

  return {
    async charge({ reference, pesewas, email, phone, network }) {
      const body = {
        reference,
        email,
        amount: pesewas,
        currency,
        mobile_money: { phone, provider: network },
      }
      return outcomeOf(chargeStates, await ask('POST', '/charge', body))
    },
    async submitOtp(reference, otp) {
      return outcomeOf(chargeStates, await ask('POST', '/charge/submit_otp', { otp, reference }))
    },
    async verify(reference) {
      const answer = await ask('GET', `/transaction/verify/${reference}`)
      return isUnknown(answer) ? undefined : outcomeOf(chargeStates, answer)
    },
    async refund({ id, charge, pesewas }) {
      const body = { transaction: charge, amount: pesewas, currency, merchant_note: id }
      return outcomeOf(refundStates, await ask('POST', '/refund', body))
    },
    async findRefund({ id, charge }) {
      const { data } = await ask('GET', `/transaction/verify/${charge}`)
      const transaction = fieldsOf(data).id
      if (transaction === undefined) throw new ProviderError(`It does not know charge ${charge}`)
      const refunds = (await all(`/refund?transaction=${transaction}`)).filter(
        ({ merchant_note }) => merchant_note === id,
      )
      const found = refunds.find(({ status }) => status !== 'failed') ?? refunds[0]
      return found && stateOf(refundStates, found)
    },
    async payout({ reference, pesewas, phone, network, name }) {
      const recipient = await ask('POST', '/transferrecipient', {
        type: 'mobile_money',
        name,
        account_number: phone,
        bank_code: network.toUpperCase(),
        currency,
      })
      const code = fieldsOf(recipient.data).recipient_code
      if (typeof code !== 'string') return outcomeOf(transferStates, recipient)
      return outcomeOf(
        transferStates,
        await ask('POST', '/transfer', {
          source: 'balance',
          amount: pesewas,
          currency,
          recipient: code,
          reference,
          reason: 'Delivery',
        }),
      )
    },
    async verifyPayout(reference) {
      const answer = await ask('GET', `/transfer/verify/${reference}`)
      return isUnknown(answer) ? undefined : outcomeOf(transferStates, answer)
    },
    readWebhook(body, signature) {
      const expected = createHmac('sha512', secretKey).update(body).digest()
      const given = Buffer.from(signature ?? '', 'hex')
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      const { data } = fieldsOf(parsed(new TextDecoder().decode(body)))
      const { reference, transaction_reference } = fieldsOf(data)
      const about = transaction_reference ?? reference
      return typeof about === 'string' ? { reference: about } : {}
    },
    async list(since) {
      const from = `from=${encodeURIComponent(since)}`
      const [charges, transfers, refunds] = [
        await all(`/transaction?${from}`),
        await all(`/transfer?${from}`),
        await all(`/refund?${from}`),
      ]
      return [
        ...charges.map((line) => lineOf('charge', chargeStates, line, line.reference)),
        ...transfers.map((line) => lineOf('payout', transferStates, line, line.reference)),
        ...refunds.map((line) => lineOf('refund', refundStates, line, line.merchant_note)),
      ]
    },
  }
}

const currency = 'GHS'

type Fields = Record<string, unknown>
type States = Record<string, PaymentOutcome['status']>

/** `pending`, `ongoing`, `abandoned` and others conclude nothing: the prompt may live on. */
const chargeStates: States = {
  success: 'paid',
  failed: 'failed',
  reversed: 'reversed',
  send_otp: 'otp',
}
const transferStates: States = {
  success: 'paid',
  failed: 'failed',
  rejected: 'failed',
  blocked: 'failed',
  reversed: 'reversed',
}
const refundStates: States = { processed: 'paid', failed: 'failed' }

/** `status`: of the HTTP response. */
type Answer = { status: number; message: string; code?: string; data: unknown }

/** The provider gave no answer that says what became of a payment. */
class ProviderError extends Error {}

/** Asks the API. Throws ProviderError unless it says what it has done, or that it refuses. */
const asker =
  (secretKey: string, url: string) =>
  async (method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(timeout),
    })
    const fields = fieldsOf(parsed(await response.text()))
    const { status } = response
    const message = String(fields.message ?? '')
    const code = typeof fields.code === 'string' ? fields.code : undefined
    const isRefusal = [400, 404, 422].includes(status) && fields.status === false
    // A reference that it has already: an earlier request arrived, and it is asked what became of that.
    const isRepeat = code === 'duplicate_reference' || /duplicate|already exists/i.test(message)
    if (
      (!response.ok && !isRefusal) ||
      (isRefusal && isRepeat) ||
      typeof fields.status !== 'boolean'
    )
      throw new ProviderError(`The payment provider answered ${status} to ${method} ${path}`)
    return { status, message, code, data: fields.data }
  }

const isUnknown = ({ status, code, message }: Answer): boolean =>
  (status === 404 || status === 400) &&
  (/^(transaction|transfer)_not_found$/.test(code ?? '') ||
    /(transaction|transfer).*not found/i.test(message))

/** A refusal without a payment is a failure, for the reason that it gives. */
function outcomeOf(states: States, { status, message, data }: Answer): PaymentOutcome {
  const fields = fieldsOf(data)
  if (status >= 400 && fields.status === undefined) return { status: 'failed', message }
  return stateOf(states, fields)
}

function stateOf(states: States, fields: Fields): PaymentOutcome {
  const { status, amount, display_text, gateway_response, message } = fields
  const words = display_text ?? message ?? gateway_response
  return {
    status: states[String(status)] ?? 'sent',
    message: typeof words === 'string' && words !== '' ? words : undefined,
    pesewas: amount === undefined || amount === null ? undefined : Number(amount),
  }
}

const lineOf = (
  kind: ProviderLine['kind'],
  states: States,
  fields: Fields,
  reference: unknown,
): ProviderLine => ({
  kind,
  reference: String(reference ?? ''),
  pesewas: Number(fields.amount),
  status: states[String(fields.status)] ?? 'sent',
})

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
