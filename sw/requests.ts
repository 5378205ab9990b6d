/** What the worker may answer: a page of the app, a file of it, a photo; `undefined` is left to the network. */
export type Kind = 'page' | 'file' | 'image' | undefined

/** The parts of a `Request` that decide. */
export type Asked = Pick<Request, 'method' | 'mode' | 'url'>

/** Served by the server itself, as the API is. */
const server = /^\/(api|healthz|readyz|metrics)(\/|$)/

export function kindOf({ method, mode, url }: Asked, origin: string): Kind {
  if (method !== 'GET') return undefined
  const { origin: asked, pathname } = new URL(url)
  // Photos may carry another name of this very server (localhost, 127.0.0.1).
  if (pathname.startsWith('/api/images/')) return 'image'
  if (asked !== origin || server.test(pathname)) return undefined
  if (mode === 'navigate') return isFile(pathname) ? undefined : 'page'
  return isFile(pathname) ? 'file' : undefined
}

/** A last part with an ending; no route of the app has one. */
const isFile = (pathname: string) => /\.[a-z0-9]+$/i.test(pathname)
