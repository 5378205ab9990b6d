import { Refused } from '#contract/wire-errors.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { createRounds } from '#sync/engine/rounds.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import type { Environment } from '#sync/platform/environment.ts'
import { followQuery } from '#sync/platform/follow-query.ts'
import type { BrowserSubscription, PushSubscriber } from '#sync/platform/push-subscription.ts'
import {
  type NotifiedLogin,
  noteNotificationProblem,
  noteReported,
  pushKey,
  unreportedLogins,
} from '../account/notifications.ts'
import { timedCall } from '../requests/timed-call.ts'
import type { SomaDb } from '../soma-db.ts'

const limit = 20_000
/** Milliseconds after which a server that did not respond is asked again. */
const retryAfter = 60_000

type About = {
  context: SyncContext<SomaDb>
  environment: Pick<Environment, 'onResume'>
  subscriber: PushSubscriber
}

/**
 * Keeps the server in step with what was chosen on this phone (R117, S61): each login, and each guest's delivery, is
 * subscribed while its person wants to be told, and no longer. Tried again until the server has responded, and when
 * the browser has a new address. Returns how to stop.
 */
export function followSubscription({ context, environment, subscriber }: About): () => void {
  const { db, clock } = context
  const rounds = createRounds(clock, () =>
    reportSubscription({ context, subscriber }).then(
      () => Number.POSITIVE_INFINITY,
      (error) => {
        note('The server was not told whether to send notifications', { error })
        return clock.monotonic() + retryAfter
      },
    ),
  )
  rounds.start()
  const stops = [
    // The key comes with the configuration, tokens with a login or a guest's request.
    followQuery(
      async () => [await unreportedLogins(db, clock.now()), await pushKey(db)],
      () => void rounds.run(),
    ),
    environment.onResume(() => void rounds.run()),
  ]
  return () => {
    void rounds.stop()
    for (const stop of stops) stop()
  }
}

/** Reports each login that its server does not know the truth of. Throws `Unreachable`. */
async function reportSubscription({
  context,
  subscriber,
}: Pick<About, 'context' | 'subscriber'>): Promise<void> {
  const { db, clock } = context
  const key = await pushKey(db)
  if (key === undefined) return
  // With an address that no server knows: everybody who wants to be told, and who no longer does.
  const logins = await unreportedLogins(db, clock.now(), '')
  const wanting = logins.filter(({ wanted }) => wanted)
  const isWanted = wanting.length > 0
  const subscription = isWanted ? await subscribe(db, subscriber, key, wanting) : undefined
  for (const login of await unreportedLogins(db, clock.now(), subscription?.endpoint)) {
    if (!login.wanted) await report(context, login, undefined)
    else if (subscription) await report(context, login, subscription)
  }
  // Also after a logout that the server has not heard of yet: nobody here is to see its messages.
  if (!isWanted) await subscriber.unsubscribe()
}

/** The browser's subscription. Where it cannot subscribe, the screens say so until it can. */
async function subscribe(
  db: SomaDb,
  subscriber: PushSubscriber,
  key: string,
  wanting: NotifiedLogin[],
): Promise<BrowserSubscription | undefined> {
  try {
    return await subscriber.subscribe(key)
  } catch (error) {
    for (const { account } of wanting) await noteNotificationProblem(db, account, 'browser')
    throw error
  }
}

async function report(
  context: SyncContext<SomaDb>,
  login: NotifiedLogin,
  subscription: BrowserSubscription | undefined,
): Promise<void> {
  const { db } = context
  const { token, account } = login
  let problem: 'refused' | undefined
  try {
    if (subscription) await timedCall(context, 'subscribe', { token, body: subscription }, limit)
    else await timedCall(context, 'unsubscribe', { token }, limit)
  } catch (error) {
    // Asked again, it would refuse again.
    if (!(error instanceof Refused)) throw error
    problem = 'refused'
    note('The server refused a subscription to notifications', { error })
  }
  await noteNotificationProblem(db, account, problem)
  await noteReported(db, login, subscription?.endpoint)
}
