/** One browser's address at its push service, and the keys that only it can open a message with. */
export type PushSubscription = { endpoint: string; p256dh: string; auth: string }

/** `topic`: a message replaces an undelivered one of the same topic. `ttl`: seconds it is worth delivering. */
export type PushMessage = {
  payload: string
  topic: string
  ttl: number
  urgency: 'low' | 'normal' | 'high'
}

/** `gone`: the subscription has ended. `later`: try again. `refused`: the message never will be taken. */
export type PushOutcome = 'sent' | 'gone' | 'later' | 'refused'

/** The browsers' push services (RFC 8030). */
export type Push = {
  /** The public VAPID key, base64url: browsers subscribe with it. */
  publicKey: string
  /** Whether this push service's address is accepted (R118). */
  accepts(endpoint: string): boolean
  send(to: PushSubscription, message: PushMessage): Promise<PushOutcome>
}
