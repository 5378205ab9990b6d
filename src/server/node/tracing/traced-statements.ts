import type { TraceStatement } from '../../postgres/connection/connection.ts'
import type { NodeTracing } from './open-tracing.ts'

/** Makes a statement a span of the call it belongs to. */
export const statementTrace =
  (tracing: NodeTracing): TraceStatement =>
  (statement, send) => {
    const summary = tracing.isInside() ? summaryOf(statement) : undefined
    return summary ? tracing.part(summary.name, summary.attributes, send) : send()
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
