/*
 * The address the app is served from. The demo works under any path of an origin it may share with others,
 * so it reads the path from its own address and puts it into every name it stores something under.
 */

/** Whether this is the demo. In development it is the same app under `/demo/`. */
export const inDemo: boolean =
  import.meta.env.MODE === 'demo' || (import.meta.env.DEV && location.pathname.startsWith('/demo/'))

// In a variable, because Vite treats `new URL('…', import.meta.url)` as an asset to copy.
const scriptUrl: string = import.meta.url

/** Ends with a slash. A built script is one folder below it. */
export const baseUrl: URL =
  import.meta.env.MODE === 'demo' && import.meta.env.PROD
    ? new URL('..', scriptUrl)
    : new URL(inDemo ? '/demo/' : import.meta.env.BASE_URL, location.href)

/** The prefix of every name in the browser's storage, which keeps the demo's data apart from the app's. */
const demoPrefix = 'soma-demo:'
export const storagePrefix: string = inDemo ? `${demoPrefix}${baseUrl.pathname}:` : ''

/** What the recipient's page keeps beside the app (src/recipient, sw/recipient.ts). */
const recipientPrefix = 'soma-recipient:'

/**
 * Whether a name in the browser's storage belongs to this app, and not to the demo or the recipient's page beside
 * it, or to the app beside the demo.
 */
export const isOwnName = (name: string): boolean =>
  inDemo
    ? name.startsWith(storagePrefix)
    : !name.startsWith(demoPrefix) && !name.startsWith(recipientPrefix)

/**
 * Whether the controller is this app's worker. A demo below the app is controlled by the app's worker until
 * its own one takes over.
 */
export const workerUrl: URL = new URL('sw.js', baseUrl)
export const isOwnWorker = (controller: ServiceWorker | null | undefined): boolean =>
  controller?.scriptURL === workerUrl.href
