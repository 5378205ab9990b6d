import { Dexie, type PromiseExtended, type Transaction } from 'dexie'

/*
 * A trick: IndexedDB's own `commit()`, which Dexie does not call. Without it the browser commits only
 * once every write has succeeded and no new request follows, which costs each command several
 * milliseconds on a slow phone. A browser without `commit()` goes that slower way.
 */

/**
 * Writes for the last time in `transaction` and commits it without waiting for the writes' results. A
 * write that fails aborts the whole transaction, as does one that cannot be requested. `write` must
 * request all of its writes before it returns. Rejects outside of the transaction.
 */
export async function commitNow(
  transaction: Transaction,
  write: () => PromiseExtended<unknown>,
): Promise<void> {
  mustBeIn(transaction)
  let failed = false
  const written = write()
  written.catch(() => {
    failed = true
  })
  // By then Dexie has thrown what could not be requested.
  await Dexie.Promise.resolve()
  if (!failed) transaction.idbtrans.commit?.()
  await written
}

/** Throws where Dexie has lost track of the transaction: what is written then would be in another. */
function mustBeIn(transaction: Transaction): void {
  if (Dexie.currentTransaction !== transaction) throw new Error('Outside of its transaction')
}
