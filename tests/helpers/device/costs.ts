import { vi } from 'vitest'

/**
 * What a piece of work asked of the phone's database: transactions that read and that write, requests in them, and
 * rows read and written.
 */
export type Costs = {
  reading: number
  writing: number
  requests: number
  rowsRead: number
  rowsWritten: number
}

const none = { reading: 0, writing: 0, requests: 0, rowsRead: 0, rowsWritten: 0 }
const reads = ['get', 'getAll', 'openCursor'] as const
const counts = ['getKey', 'getAllKeys', 'count', 'openKeyCursor'] as const
const writes = ['put', 'add', 'delete'] as const

/**
 * Counts from now on, in every database that is opened later. Returns what was counted since the call before.
 * `vi.restoreAllMocks` ends it.
 */
export function countCosts(): () => Costs {
  let found: Costs = { ...none }
  const observe = <T extends object>(
    on: T,
    name: keyof T & string,
    tell: (answer: unknown) => void,
  ) => {
    const usual = on[name] as (...args: unknown[]) => unknown
    vi.spyOn(on, name as never).mockImplementation(function (this: T, ...args: unknown[]) {
      const answer = usual.apply(this, args)
      tell(answer)
      return answer
    } as never)
  }
  observe(IDBDatabase.prototype, 'transaction', (transaction) => {
    found[(transaction as IDBTransaction).mode === 'readonly' ? 'reading' : 'writing'] += 1
  })
  for (const source of [IDBObjectStore.prototype, IDBIndex.prototype]) {
    for (const name of counts)
      observe(source, name, () => {
        found.requests += 1
      })
    for (const name of reads)
      observe(source, name, (answer) => {
        found.requests += 1
        const request = answer as IDBRequest<unknown>
        // A cursor's request succeeds once for each row.
        request.addEventListener('success', () => {
          found.rowsRead += rowsIn(request.result)
        })
      })
  }
  for (const name of writes)
    observe(IDBObjectStore.prototype, name, () => {
      found.requests += 1
      found.rowsWritten += 1
    })
  return () => {
    const counted = found
    found = { ...none }
    return counted
  }
}

const rowsIn = (result: unknown): number =>
  Array.isArray(result) ? result.length : result === undefined || result === null ? 0 : 1
