/*
 * Runs in a page or worker before anything else. It makes "durable" mean one thing for everybody:
 * each readwrite transaction asks the browser for the durability that `?durability=` of the script's
 * address or the page names, whatever the library asks for, and `settled()` resolves once all that
 * were begun have ended. Without a name, libraries get what they ask for.
 */

type Requested = IDBTransactionOptions['durability']

const requested = (new URL(location.href).searchParams.get('durability') ?? undefined) as Requested
const open = new Set<IDBTransaction>()
let waiting: (() => void)[] = []

const begin = IDBDatabase.prototype.transaction
IDBDatabase.prototype.transaction = function (stores, mode, options) {
  const writes = mode === 'readwrite'
  const transaction = begin.call(
    this,
    stores,
    mode,
    writes && requested ? { durability: requested } : options,
  )
  if (writes) {
    open.add(transaction)
    for (const end of ['complete', 'abort'])
      transaction.addEventListener(end, () => over(transaction))
  }
  return transaction
}

function over(transaction: IDBTransaction) {
  open.delete(transaction)
  if (open.size > 0) return
  for (const resolve of waiting) resolve()
  waiting = []
}

/** When every write begun so far, and those begun meanwhile, is as durable as was asked. */
export const settled = (): Promise<void> =>
  open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
