/** A browser's push subscription, as the server takes it. */
export type BrowserSubscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** How the browser subscribes to push messages. */
export type PushSubscriber = {
  /** The subscription with this key of the server; nothing without the person's permission. */
  subscribe(key: string): Promise<BrowserSubscription | undefined>
  unsubscribe(): Promise<void>
}

/** The browser's own; nothing where it has none, in a test or in an old browser. */
export const browserSubscriber: PushSubscriber = {
  async subscribe(key) {
    const manager = await pushManager()
    if (!manager || Notification.permission !== 'granted') return undefined
    const found = await manager.getSubscription()
    if (found && hasKey(found, key)) return asSent(found)
    // Made with another key of the server: a restored database has a new one.
    await found?.unsubscribe()
    const made = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    return asSent(made)
  },
  async unsubscribe() {
    const found = await (await pushManager())?.getSubscription()
    await found?.unsubscribe()
  },
}

async function pushManager(): Promise<PushManager | undefined> {
  if (typeof navigator === 'undefined' || !('serviceWorker' in navigator)) return undefined
  if (!('PushManager' in globalThis) || !('Notification' in globalThis)) return undefined
  return (await navigator.serviceWorker.getRegistration())?.pushManager
}

function hasKey({ options }: PushSubscription, key: string): boolean {
  const { applicationServerKey } = options
  if (!applicationServerKey) return false
  const text = btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key
}

function asSent(subscription: PushSubscription): BrowserSubscription | undefined {
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh, auth } = keys ?? {}
  return endpoint && p256dh && auth ? { endpoint, keys: { p256dh, auth } } : undefined
}
