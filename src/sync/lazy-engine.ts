import { hearEvents } from './events/leader.ts'
import { revokeTokens } from './logouts/revoke.ts'
import type { LazyEngine, LazyModel } from './model.ts'
import { collectGarbage } from './outbox/collect-garbage.ts'
import { drain } from './push/sender.ts'

/** The part of the engine that a visitor's first page does without, for one product. */
export const createLazyEngine = (model: LazyModel): LazyEngine => ({
  drain: (context) => drain(context, model),
  hearEvents(about) {
    const stops = [hearEvents(about, model), model.follow(about)]
    return () => {
      for (const stop of stops) stop()
    }
  },
  checkStored: (context) => model.checkStored(context),
  async collectGarbage(context) {
    await model.deleteOld(context)
    await collectGarbage(context.db, model, context.clock)
  },
  revokeTokens: (context, now) => revokeTokens(context, model, now),
})
