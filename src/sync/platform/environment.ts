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
  /** Asks the browser not to delete what this phone holds when it needs space. */
  persistStorage?: () => void
  /** How the browser subscribes to push messages; missing for the browser's own. */
  pushSubscriber?: PushSubscriber
  /** Asks whether there is a newer version of the app. */
  checkForUpdate?: () => void
}
