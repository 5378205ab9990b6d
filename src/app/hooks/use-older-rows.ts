import { useEffect, useState } from 'react'
import { type ListRef, listKey } from '#store/database/lists.ts'
import { pulled } from '#store/queries/lists.ts'
import { syncStatus } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { useLive } from './use-live.ts'
import { useSoma } from './use-soma.ts'

/** Rows that a list shows more of each time its end is reached. */
const step = 60

/** What the end of a list can say. `none`: there is nothing older. */
export type OlderState = 'none' | 'ready' | 'loading' | 'offline' | 'failed'

/** Rows of a list that grows on scrolling (S50). `more` shows older ones; asked for where the phone has none. */
export function useOlderRows(
  list: ListRef,
  query: (db: SomaDb, limit: number) => Promise<DeliveryRow[]>,
): { rows: DeliveryRow[] | undefined; older: OlderState; more: () => void } {
  const soma = useSoma()
  const key = listKey(list)
  const [shown, setShown] = useState({ key, limit: step })
  const limit = shown.key === key ? shown.limit : step
  const found = useLive(async (db) => ({ limit, rows: await query(db, limit) }), [key, limit])
  const rows = found?.rows
  const part = useLive((db) => pulled(db, key), [key])
  const reachable = useLive(syncStatus)?.reachable !== false
  const [asked, setAsked] = useState<'no' | 'loading' | 'failed'>('no')
  const held = rows !== undefined && rows.length >= limit
  const hasOlder = part?.older !== undefined
  // A new network is a reason to try again.
  useEffect(() => setAsked((was) => (reachable && was === 'failed' ? 'no' : was)), [reachable])
  const more = async () => {
    if (held || !hasOlder) return setShown({ key, limit: limit + step })
    setAsked('loading')
    const result = await soma.pullOlder(list).catch(() => 'failed')
    setAsked(result === 'done' ? 'no' : 'failed')
    if (result === 'done') setShown({ key, limit: (rows?.length ?? 0) + step })
  }
  return { rows, older: stateOf(), more: () => void more() }

  function stateOf(): OlderState {
    if (found && found.limit !== limit) return 'loading'
    if (rows === undefined || (!held && !hasOlder)) return 'none'
    if (held) return 'ready'
    if (!reachable) return 'offline'
    return asked === 'no' ? 'ready' : asked
  }
}
