/*
 * Where this app lies. The demo works under any address, next to anything else of the same origin,
 * so it finds out for itself, and whatever it keeps by name has its address in the name.
 */

/** In development the demo is the same app under `/demo/`. */
export const inDemo: boolean =
  import.meta.env.MODE === 'demo' || (import.meta.env.DEV && location.pathname.startsWith('/demo/'))

// Put aside, because Vite takes `new URL` of a literal and this for a file to be copied.
const scriptUrl: string = import.meta.url

/** Ends with a slash. A built script lies one folder below. */
export const baseUrl: URL =
  import.meta.env.MODE === 'demo' && import.meta.env.PROD
    ? new URL('..', scriptUrl)
    : new URL(inDemo ? '/demo/' : import.meta.env.BASE_URL, location.href)

/** Before every name that this app keeps something under, so that demo and real data never meet. */
const demoPrefix = 'soma-demo:'
export const storagePrefix: string = inDemo ? `${demoPrefix}${baseUrl.pathname}:` : ''

/** Whether something kept under this name in the browser is this app's: the demo lies beside the app. */
export const isOwnName = (name: string): boolean =>
  inDemo ? name.startsWith(storagePrefix) : !name.startsWith(demoPrefix)

/** Above a demo that lies beside the app stands the app's worker, until the demo's own takes over. */
export const workerUrl: URL = new URL('sw.js', baseUrl)
export const isOwnWorker = (controller: ServiceWorker | null | undefined): boolean =>
  controller?.scriptURL === workerUrl.href
