import type { Op } from '#contract/endpoints.ts'
import type { HandlerInput, Handlers } from '../ports/handler.ts'

/** Handlers whose code is loaded with the first call of one of them: the demo's first page is without it. */
export function lazyHandlers<O extends Op>(
  ops: readonly O[],
  load: () => Promise<Pick<Handlers, O>>,
): Pick<Handlers, O> {
  let loading: Promise<Pick<Handlers, O>> | undefined
  const handlerOf = (op: O) => async (asked: HandlerInput<O>) => {
    loading ??= load()
    return (await loading)[op](asked)
  }
  return Object.fromEntries(ops.map((op) => [op, handlerOf(op)])) as Pick<Handlers, O>
}
