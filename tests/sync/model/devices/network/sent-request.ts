import { base } from '../../scenario/seed-data.ts'

/** One request as it left a tab or a worker. */
export type SentRequest = {
  method: string
  path: string
  key: string | undefined
  token: string | undefined
}

export function sentRequestOf(request: Request): SentRequest {
  const path = new URL(request.url).pathname.slice(new URL(base).pathname.length)
  return {
    method: request.method,
    path,
    // What withdraws an entry's request counts as a try of that entry (S56).
    key: request.headers.get('idempotency-key') ?? path.match(/^\/requests\/(.+)\/withdraw$/)?.[1],
    token: request.headers.get('authorization')?.replace('Bearer ', ''),
  }
}

/** The operations of a batch, each as the single request it stands for; none for any other request. */
export function operationsOf({ path, token }: SentRequest, body: ArrayBuffer | undefined) {
  if (path !== '/batch' || !body) return []
  const { operations = [] } = JSON.parse(new TextDecoder().decode(body)) as {
    operations?: { key: string; method: string; path: string }[]
  }
  return operations.map(
    (each): SentRequest => ({ method: each.method, path: each.path, key: each.key, token }),
  )
}
