import { setTimeout as pause } from 'node:timers/promises'
import { internationalPhone } from '#domain/users/phone.ts'
import type { Log, Sms, SmsMessage } from '../../ports/ports.ts'

type SmsSettings = {
  provider: 'console' | 'arkesel' | 'hubtel'
  /** In place of the provider's own address. */
  url?: string
  /** Arkesel's API key; Hubtel's `clientId:clientSecret`. */
  apiKey?: string
  sender: string
}

/** Sends SMS by the configured provider. `send` rejects when the provider did not accept the message. */
export function smsProvider(settings: SmsSettings, log: Log): Sms {
  if (settings.provider === 'console')
    return {
      // The only log line that carries a code: without a provider the operator reads it here.
      send: async ({ to, text }) => log.info({ to, text }, 'SMS'),
    }
  const provider = providers[settings.provider]
  return { send: (text) => withRetries(() => post(provider(text, settings))) }
}

type ProviderRequest = {
  url: string
  headers: Record<string, string>
  body: unknown
  isAccepted: IsAccepted
}
/** Whether the body of a response accepts the message: providers return 200 for refusals too. */
type IsAccepted = (answer: Record<string, unknown>) => boolean

const providers: Record<
  'arkesel' | 'hubtel',
  (text: SmsMessage, settings: SmsSettings) => ProviderRequest
> = {
  arkesel: ({ to, text }, { url, apiKey = '', sender }) => ({
    url: url ?? 'https://sms.arkesel.com/api/v2/sms/send',
    headers: { 'api-key': apiKey },
    body: { sender, message: text, recipients: [internationalPhone(to)] },
    isAccepted: ({ status }) => status === 'success',
  }),
  hubtel: ({ to, text }, { url, apiKey = '', sender }) => ({
    url: url ?? 'https://sms.hubtel.com/v1/messages/send',
    headers: { authorization: `Basic ${btoa(apiKey)}` },
    body: { From: sender, To: internationalPhone(to), Content: text },
    isAccepted: ({ status }) => Number(status) === 0,
  }),
}

/** Milliseconds. */
const timeout = 10_000

async function post({ url, headers, body, isAccepted }: ProviderRequest) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeout),
  })
  const answer: unknown = await response.json().catch(() => undefined)
  const fields = typeof answer === 'object' && answer !== null ? { ...answer } : {}
  if (response.ok && isAccepted(fields)) return
  // The provider's error text may repeat the message and its code.
  const error = new Error(`The SMS provider answered ${response.status}`)
  throw Object.assign(error, { final: response.status >= 400 && response.status < 500 })
}

async function withRetries(send: () => Promise<void>) {
  for (let tries = 1; ; tries++) {
    try {
      return await send()
    } catch (error) {
      const final = error instanceof Error && 'final' in error && error.final === true
      if (final || tries === 3) throw error
      await pause(500 * 2 ** tries, undefined, { ref: false })
    }
  }
}
