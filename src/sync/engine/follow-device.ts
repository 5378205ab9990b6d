import { getState } from '../database/device/state.ts'
import { updateRequired } from '../database/device/update.ts'
import type { EngineDb } from '../database/engine-db.ts'
import type { Model } from '../model.ts'
import { hasWaiting } from '../outbox/unsent.ts'
import type { Environment } from '../platform/environment.ts'
import { followQuery } from '../platform/follow-query.ts'

/** What the engine does when something on this device has changed, in this tab or another. */
type Listeners = {
  /** Something is queued that no sender has looked at. */
  onQueued: () => void
  /** Somebody else is logged in, or nobody; `isFirst`: as it was found when the page was opened. */
  onLogin: (isFirst: boolean) => void
  /** The server takes only newer builds of the app, and did until now take this one (S48). */
  onUpdateRequired: () => void
  /** It takes this one again. */
  onUpdated: () => void
  /** Cursors of these lists were forgotten (S49). */
  onPullInFull: (lists: string[]) => void
}

/** Follows what is stored on this device. Returns how to stop each of them. */
export const followDevice = (db: EngineDb, listeners: Listeners): (() => void)[] => [
  followQuery(
    async () => hasWaiting(db),
    (some) => some && listeners.onQueued(),
  ),
  followLogin(db, listeners),
  followUpdate(db, listeners),
  followFullPulls(db, listeners),
]

function followLogin(db: EngineDb, { onLogin }: Listeners) {
  let known: string | null | undefined = null
  return followQuery(
    async () => (await db.sessions.get('current'))?.token,
    (token) => {
      const isFirst = known === null
      // The session is also written by every pull of `me`.
      if (token === known) return
      known = token
      onLogin(isFirst)
    },
  )
}

function followUpdate(db: EngineDb, { onUpdateRequired, onUpdated }: Listeners) {
  let wasRequired = false
  return followQuery(
    async () => updateRequired(db),
    (isRequired) => {
      if (isRequired && !wasRequired) onUpdateRequired()
      if (!isRequired && wasRequired) onUpdated()
      wasRequired = isRequired
    },
  )
}

function followFullPulls(db: EngineDb, { onPullInFull }: Listeners) {
  let known: number | undefined
  return followQuery(
    async () => getState(db, 'pullInFull'),
    (asked) => {
      const isNew = known !== undefined && asked !== undefined && asked.count !== known
      known = asked?.count ?? 0
      if (isNew) onPullInFull(asked.lists)
    },
  )
}

/** Asks the browser once to keep the data, when there is something that only this device has (S31). */
export function persistOnce(db: EngineDb, model: Model, environment: Environment) {
  const stop = followQuery(
    () => model.hasUnsynced(db),
    (some) => {
      if (!some) return
      environment.persistStorage?.()
      stop()
    },
  )
  return stop
}
