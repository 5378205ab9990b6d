import { type CallInput, type CallResult, call } from '#contract/calls/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Unreachable } from '#contract/wire-errors.ts'
import { patience, type SyncContext, withDeadline } from '#sync/platform/context.ts'

/** One call that may take `limit` milliseconds, unless its own signal ends it before. Throws as `call` does. */
export const timedCall = <O extends Op>(
  { transport, base, clock }: Pick<SyncContext, 'transport' | 'base' | 'clock'>,
  op: O,
  input: CallInput = {},
  limit = patience,
): Promise<CallResult<O>> =>
  withDeadline(
    clock,
    limit,
    (signal) => call(transport, base, op, { ...input, signal }),
    input.signal,
  )

/** The value of a response that has one. Throws `Unreachable` for a 304. */
export const required = <O extends Op>(response: CallResult<O>) => {
  if (!response.value) throw new Unreachable('Not our response', { status: response.status })
  return response.value
}
