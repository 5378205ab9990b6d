import { AsyncResource } from 'node:async_hooks'
import type pg from 'pg'
import type { NodeTracing } from './open-tracing.ts'

type Query = (...args: unknown[]) => unknown
type Callback = (error: unknown, result: unknown) => void

/** Makes every statement of the pool's connections a span of the call it belongs to. Must come before the first one. */
export function traceStatements(pool: pg.Pool, tracing: NodeTracing): void {
  const connect = pool.connect.bind(pool) as (callback?: Callback) => unknown
  // A call that waited for a connection is resumed by the call that gave it back.
  pool.connect = ((callback?: Callback) =>
    connect(callback && AsyncResource.bind(callback))) as typeof pool.connect
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query
    client.query = ((...args: unknown[]) =>
      traced(args, query, tracing)) as unknown as typeof client.query
  })
}

function traced(args: unknown[], query: Query, tracing: NodeTracing): unknown {
  const summary = summaryOf(args[0])
  if (summary === undefined || !tracing.isInside()) return query(...args)
  const { name, attributes } = summary
  const callback = args.at(-1)
  if (typeof callback !== 'function')
    return tracing.part(name, attributes, async () => query(...args))
  const done = tracing.part(
    name,
    attributes,
    () =>
      new Promise((resolve, reject) => {
        const settle: Callback = (error, result) => (error ? reject(error) : resolve(result))
        query(...args.slice(0, -1), settle)
      }),
  )
  void done.then(
    (result) => callback(null, result),
    (error) => callback(error),
  )
  return undefined
}

/** The operation and the first table of a statement: no value and no condition of it. */
function summaryOf(statement: unknown) {
  const isConfig = typeof statement === 'object' && statement !== null && 'text' in statement
  const text = isConfig ? statement.text : statement
  if (typeof text !== 'string') return undefined
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase()
  if (operation === undefined) return undefined
  const table = /\b(?:from|into|update)\s+"?([a-z_]+)"?/i.exec(text)?.[1]
  return {
    name: [operation, table].filter(Boolean).join(' '),
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table === undefined ? {} : { 'db.collection.name': table }),
    },
  }
}
