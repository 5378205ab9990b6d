/// <reference lib="webworker" />
import { scope } from './base-url.ts'

declare const self: ServiceWorkerGlobalScope

/** The part of a push message that this worker reads (R116). `data`: the ID to confirm it with (R119). */
type Message = {
  title: string
  body?: string
  navigate: string
  tag?: string
  data?: string
}

/** A browser with Declarative Web Push has read the message itself, and gives the notification it would show. */
export type PushMessageEvent = Pick<PushEvent, 'data'> & {
  notification?: (Message & { [other: string]: unknown }) | null
}

/** What the server sent; nothing where it is of a form this version does not know. */
function messageOf({ notification, data }: PushMessageEvent): Message | undefined {
  try {
    // Declarative Web Push gives no data beside it.
    const {
      title,
      body,
      navigate,
      tag,
      data: receipt,
    } = notification ?? data?.json().notification ?? {}
    if (typeof title !== 'string' || typeof navigate !== 'string') return undefined
    return {
      title,
      navigate,
      body: text(body),
      tag: text(tag),
      data: text(receipt),
    }
  } catch {
    return undefined
  }
}

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

/** Shows a push message, confirms it and counts it on the app's icon. Resolves to the path that a tap opens. */
export async function showPush(event: PushMessageEvent): Promise<string> {
  const message = messageOf(event)
  // A browser shows a text of its own for a push without a notification: better one of ours.
  const { title, body, navigate, tag, data: receipt } = message ?? fallback()
  await self.registration.showNotification(title, {
    body,
    tag,
    // A newer message about the same delivery is worth a sound, too.
    ...(tag ? { renotify: true } : {}),
    icon: new URL('icons/soma-192.png', scope).href,
    badge: new URL('icons/badge.png', scope).href,
    data: { navigate },
  } as NotificationOptions)
  // Whatever becomes of the icon: an unconfirmed message costs an SMS.
  await Promise.allSettled([receipt ? confirm(receipt) : undefined, countOnIcon()])
  return new URL(addressOf({ navigate })).pathname
}

const fallback = (): Message => ({ title: 'Soma', body: 'There is news.', navigate: scope.href })

/** Without a network the server does without: it sends an SMS. */
const confirm = (id: string) =>
  fetch(new URL('api/notifications/receipts', scope), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id }),
  }).catch(() => undefined)

/** Opens what a notification is about: in the window that is open already, if there is one. */
export async function openPush(notification: Notification): Promise<void> {
  notification.close()
  await countOnIcon()
  const url = addressOf(notification.data)
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const ours = windows.filter((each) => each.url.startsWith(scope.href))
  const [open = undefined] = [...ours.filter(({ focused }) => focused), ...ours]
  if (!open) return void (await self.clients.openWindow(url))
  // The page itself changes its address: a half-typed form asks before it is left.
  open.postMessage({ type: 'OPEN', path: url.slice(scope.href.length - 1) })
  await open.focus()
}

/** Only an address of this app is opened. */
function addressOf(data: unknown): string {
  const { navigate } = (data ?? {}) as { navigate?: unknown }
  if (typeof navigate !== 'string') return scope.href
  try {
    const { pathname, search, hash } = new URL(navigate)
    // The app may have several names: what counts is the path.
    return new URL(pathname + search + hash, scope).href
  } catch {
    return scope.href
  }
}

/** As many as there are notifications; the app counts anew when it is opened. */
export async function countOnIcon(): Promise<void> {
  const { length } = await self.registration.getNotifications()
  const { setAppBadge, clearAppBadge } = self.navigator as Partial<Badging>
  await (length > 0 ? setAppBadge : clearAppBadge)?.call(self.navigator, length).catch(() => {})
}

/** The Badging API, which TypeScript's own library does not declare everywhere. */
type Badging = {
  setAppBadge(count?: number): Promise<void>
  clearAppBadge(count?: number): Promise<void>
}
