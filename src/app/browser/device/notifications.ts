/**
 * Whether this browser can show notifications with the app closed. `install`: only once the app is on the Home
 * Screen, as on iPhones; `blocked`: the person has said no, and can change it in the browser alone; `ask`: they
 * were not asked.
 */
export type NotificationSupport = 'on' | 'ask' | 'blocked' | 'install' | 'none'

export function notificationSupport(): NotificationSupport {
  if (!('serviceWorker' in navigator)) return 'none'
  if (!('Notification' in globalThis) || !('PushManager' in globalThis))
    return isIos() && !isInstalled() ? 'install' : 'none'
  const { permission } = Notification
  return permission === 'granted' ? 'on' : permission === 'denied' ? 'blocked' : 'ask'
}

/** Calls back when the person may have changed it in the browser's settings. Returns the function that ends it. */
export function onNotificationSupport(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Asks the person; call it in a tap, without which browsers refuse. */
export async function askForNotifications(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted'
}

/** iPhones and iPads; the newer ones of these call themselves Macs, which have no touch screen. */
export const isIos = (): boolean =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Mac') && navigator.maxTouchPoints > 1)

/** The app runs from the Home Screen, in a window of its own. */
export const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches ||
  (navigator as { standalone?: boolean }).standalone === true
