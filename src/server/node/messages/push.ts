import webPush from 'web-push'
import type { Log } from '../../ports/ports.ts'
import type { Push, PushMessage, PushOutcome, PushSubscription } from '../../ports/push-port.ts'
import type { Repo } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'

type Settings = {
  /** `https:` or `mailto:`: whom a push service asks when messages are a problem. */
  subject: string
  /** Origins of push services beside the browsers' own; `http:` for one on loopback. */
  services: string[]
}

/** Hosts of the browsers' push services, and hosts below them (R118). */
const knownServices = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'notify.windows.com',
  'push.apple.com',
]

/** Milliseconds. */
const timeout = 10_000

/** Sends by Web Push (RFC 8030, 8291, 8292) with the VAPID keys of this database, which the first start makes. */
export async function webPushSender(
  repo: Repo,
  secrets: Secrets,
  { subject, services }: Settings,
  log: Log,
): Promise<Push> {
  const keys = await vapidKeys(repo, secrets, log)
  const accepts = (endpoint: string) => isPushService(endpoint, services)
  return {
    publicKey: keys.publicKey,
    accepts,
    async send(to, message) {
      const request = requestFor(to, message, { subject, ...keys })
      return request ? post(to.endpoint, request.headers, request.body, log) : 'gone'
    },
  }
}

/** The encrypted message and its headers; `undefined` when the subscription's keys are invalid. */
function requestFor(
  { endpoint, p256dh, auth }: PushSubscription,
  { payload, ttl, topic, urgency }: PushMessage,
  vapidDetails: webPush.VapidKeys & { subject: string },
) {
  try {
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      payload,
      { vapidDetails, TTL: ttl, topic, urgency, contentEncoding: 'aes128gcm' },
    )
    const { 'Content-Length': _, ...rest } = headers as Record<string, string>
    return { headers: rest, body: body ? new Uint8Array(body) : undefined }
  } catch {
    return undefined
  }
}

/** Whether messages may be sent to this address: clients choose it, and must not reach internal hosts (R118). */
export function isPushService(endpoint: string, services: readonly string[]): boolean {
  if (!URL.canParse(endpoint) || endpoint.length > 1_000) return false
  const { origin, protocol, hostname, port, username, password } = new URL(endpoint)
  if (username || password) return false
  if (services.includes(origin)) return true
  const isKnown = knownServices.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  return protocol === 'https:' && port === '' && isKnown
}

async function post(
  endpoint: string,
  headers: Record<string, string>,
  body: Uint8Array<ArrayBuffer> | undefined,
  log: Log,
): Promise<PushOutcome> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers,
      body,
      // A redirect could lead to an internal host.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    await response.body?.cancel()
    const { status } = response
    if (response.ok) return 'sent'
    if (status === 404 || status === 410) return 'gone'
    if (status === 429 || status >= 500) return 'later'
    log.warn({ status, service: new URL(endpoint).host }, 'A push service refused a message')
    return 'refused'
  } catch (error) {
    log.warn({ err: error, service: new URL(endpoint).host }, 'A push service did not answer')
    return 'later'
  }
}

/** The name in the settings table. Databases hold it. */
const setting = 'vapid keys'

/**
 * The keys of this database, sealed. Keys that cannot be opened are replaced: browsers see a new public key and
 * subscribe again, which is better than a server that does not start.
 */
async function vapidKeys(repo: Repo, secrets: Secrets, log: Log): Promise<webPush.VapidKeys> {
  const made = JSON.stringify(webPush.generateVAPIDKeys())
  const sealed = Buffer.from(secrets.seal(made, setting)).toString('base64')
  return repo.transaction(async ({ settings, attempts }) => {
    await attempts.lock(setting)
    const kept = await settings.keep(setting, sealed)
    try {
      return JSON.parse(secrets.open(Buffer.from(kept, 'base64'), setting))
    } catch (error) {
      log.warn({ err: error }, 'The VAPID keys could not be opened and were made anew')
      await settings.set(setting, sealed)
      return JSON.parse(made)
    }
  })
}
