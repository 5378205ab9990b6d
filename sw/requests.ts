/** What the worker may answer: a page of the app, a file of it, a photo; `undefined` is left to the network. */
export type RequestKind = 'page' | 'file' | 'image' | undefined

/** The parts of a `Request` that decide. */
export type RequestParts = Pick<Request, 'method' | 'mode' | 'url'> & {
  headers: Pick<Headers, 'has'>
}

/** Served by the server itself, as the API is. The demo beside the app has a worker of its own. */
const server = /^(api|healthz|readyz|metrics|demo)(\/|$)/

/** `home`: where the app lies, with a slash at its end. */
export function requestKind({ method, mode, url, headers }: RequestParts, home: URL): RequestKind {
  // With a token the answer is for one person: it is neither kept, nor asked for without it.
  if (method !== 'GET' || headers.has('authorization')) return undefined
  const { origin, pathname } = new URL(url)
  // Photos may carry another name of this very server (localhost, 127.0.0.1).
  if (pathname.startsWith('/api/images/')) return 'image'
  if (origin !== home.origin || !pathname.startsWith(home.pathname)) return undefined
  const path = pathname.slice(home.pathname.length)
  if (server.test(path)) return undefined
  if (mode === 'navigate') return isFile(path) ? undefined : 'page'
  return isFile(path) ? 'file' : undefined
}

/** A last part with an ending; no route of the app has one. */
const isFile = (path: string) => /\.[a-z0-9]+$/i.test(path)
