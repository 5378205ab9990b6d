import { note } from '../database/device/diagnostics.ts'
import { isOffline } from './context.ts'
import type { Environment } from './environment.ts'

/** The browser's own. How to wake the worker is loaded later: `openSoma` adds it. */
export const pageEnvironment: Omit<Environment, 'wakeWorker'> = {
  onResume: (work) => {
    const shown = () => document.visibilityState === 'visible' && work()
    const restored = ({ persisted }: PageTransitionEvent) => persisted && work()
    const { connection } = navigator as { connection?: EventTarget }
    addEventListener('online', work)
    connection?.addEventListener('change', work)
    document.addEventListener('visibilitychange', shown)
    addEventListener('pageshow', restored)
    return () => {
      removeEventListener('online', work)
      connection?.removeEventListener('change', work)
      document.removeEventListener('visibilitychange', shown)
      removeEventListener('pageshow', restored)
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
