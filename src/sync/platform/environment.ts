import { note } from '#store/database/device/diagnostics.ts'
import { isOffline } from './offline.ts'
import type { PushSubscriber } from './push-subscription.ts'

/** The browser's hints about the device; none is a fact. */
export type Environment = {
  /** Calls back when the network may be there again, or the page is looked at again. */
  onResume: (work: () => void) => () => void
  /** Calls back when the device reports that the network is gone. */
  onLost?: (work: () => void) => () => void
  /** Calls back when nobody looks at the page any more. */
  onHidden?: (work: () => void) => () => void
  isVisible: () => boolean
  /** Trusted only when true, and only for a request made at that moment. */
  isOffline?: () => boolean
  /** The person asked their phone to save data. */
  saveData: () => boolean
  /** Asks the browser to wake the service worker when there is a network, page open or not. */
  wakeWorker: () => void
  /** Asks the browser not to throw away what this phone holds when it needs room. */
  persistStorage?: () => void
  /** How the browser subscribes to push messages; missing for the browser's own. */
  pushSubscriber?: PushSubscriber
  /** Asks whether there is a newer version of the app. */
  checkForUpdate?: () => void
}

/** The browser's own. How to wake the worker is loaded later: `openSoma` adds it. */
export const pageEnvironment: Omit<Environment, 'wakeWorker'> = {
  onResume: (work) => {
    const shown = () => document.visibilityState === 'visible' && work()
    const { connection } = navigator as { connection?: EventTarget }
    addEventListener('online', work)
    connection?.addEventListener('change', work)
    document.addEventListener('visibilitychange', shown)
    return () => {
      removeEventListener('online', work)
      connection?.removeEventListener('change', work)
      document.removeEventListener('visibilitychange', shown)
    }
  },
  onLost: (work) => {
    addEventListener('offline', work)
    return () => removeEventListener('offline', work)
  },
  onHidden: (work) => {
    const hidden = () => document.visibilityState === 'hidden' && work()
    document.addEventListener('visibilitychange', hidden)
    return () => document.removeEventListener('visibilitychange', hidden)
  },
  isVisible: () => document.visibilityState === 'visible',
  isOffline,
  saveData: () =>
    (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true,
  persistStorage: () =>
    void navigator.storage
      ?.persist?.()
      .catch((error) => note('The browser was not asked to keep the data', { error })),
  checkForUpdate: () =>
    void navigator.serviceWorker
      ?.getRegistration()
      .then((registration) => registration?.update())
      .catch((error) => note('The check for an update failed', { error })),
}
