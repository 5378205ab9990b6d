/** How the worker responds: with the app's page, a file of it, a photo, or by storing what was shared to the app; `undefined` leaves it to the network. */
type RequestKind = 'page' | 'file' | 'image' | 'shared' | undefined

/** The parts of a `Request` that decide. */
type RequestParts = Pick<Request, 'method' | 'mode' | 'url'> & {
  headers: Pick<Headers, 'has'>
}

/** Paths that only the server answers. The demo beside the app and the recipient's page have workers of their own. */
const serverPaths = /^(api|healthz|readyz|metrics|demo|h)(\/|$)/

/** `scope`: the address of the app, with a slash at its end. */
export function requestKind({ method, mode, url, headers }: RequestParts, scope: URL): RequestKind {
  if (method === 'POST' && mode === 'navigate' && url === new URL('share', scope).href)
    return 'shared'
  // The response to a request with a token is for one person, so it must not be stored.
  if (method !== 'GET' || headers.has('authorization')) return undefined
  const { origin, pathname } = new URL(url)
  // On any origin: photos may be named by another host name of the same server.
  if (pathname.startsWith('/api/images/')) return 'image'
  if (origin !== scope.origin || !pathname.startsWith(scope.pathname)) return undefined
  const path = pathname.slice(scope.pathname.length)
  if (serverPaths.test(path)) return undefined
  if (mode === 'navigate') return isFile(path) ? undefined : 'page'
  return isFile(path) ? 'file' : undefined
}

/** No route of the app ends in a file extension. */
const isFile = (path: string) => /\.[a-z0-9]+$/i.test(path)
