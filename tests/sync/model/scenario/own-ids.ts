type Rename = (id: string) => string

const creates = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && /\/(sender|guest)\/deliveries$/.test(path)

/**
 * The server takes the request key of a create as the ID (R72), so another key gives another ID. `keys`:
 * those of a batch as the phone knows them.
 */
export async function withServerIds(
  request: Request,
  rename: Rename,
): Promise<{ request: Request; keys: string[] }> {
  const { url, headers, method } = request
  const key = headers.get('idempotency-key')
  if (key && creates({ method, path: url })) headers.set('idempotency-key', rename(key))
  if (!url.endsWith('/batch')) return { request, keys: [] }
  const { operations = [], ...rest } = (await request.json()) as Batch
  const renamed = operations.map((each) =>
    creates(each) ? { ...each, key: rename(each.key) } : each,
  )
  const keys = new Map(operations.map(({ key }, at) => [key, renamed[at]?.key ?? key]))
  const body = JSON.stringify({
    ...rest,
    operations: renamed.map((each) => ({
      ...each,
      after: each.after?.map((key) => keys.get(key) ?? key),
    })),
  })
  return { request: new Request(url, { method, headers, body }), keys: [...keys.keys()] }
}

/** Lines of a batch name the keys that the phone knows. `keys`: those of the batch. */
export async function withPhoneIds(
  keys: readonly string[],
  given: Response,
  rename: Rename,
): Promise<Response> {
  if (keys.length === 0 || given.status !== 200) return given
  const known = new Map(keys.map((key) => [rename(key), key]))
  const lines = (await given.text()).split('\n').filter((line) => line !== '')
  const renamed = lines.map((line) => {
    const { key, ...rest } = JSON.parse(line)
    return `${JSON.stringify({ key: known.get(key) ?? key, ...rest })}\n`
  })
  return new Response(renamed.join(''), given)
}

type Batch = {
  operations?: { key: string; method: string; path: string; after?: string[] }[]
}
