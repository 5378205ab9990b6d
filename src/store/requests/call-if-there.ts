import type { CallInput, CallResult } from '#contract/calls/call.ts'
import { aboutOf } from '#contract/calls/call-line.ts'
import type { Op } from '#contract/endpoints.ts'
import type { Transport } from '#contract/transport.ts'
import { Refused } from '#contract/wire-errors.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { timedCall } from './timed-call.ts'

/** Statuses of a backend without a call. */
const statusesWithoutCall = [404, 405]

/**
 * A call that other backends may not have: nothing where there is none. A gateway's or portal's page in place of the
 * response says nothing of the backend (S42). Throws as `call` does.
 */
export async function callIfThere<O extends Op>(
  context: SyncContext,
  op: O,
  input: CallInput,
): Promise<CallResult<O> | undefined> {
  const last = { status: 0, isMarked: false }
  const transport: Transport = async (request) => {
    const response = await context.transport(request)
    Object.assign(last, { status: response.status, isMarked: aboutOf(response).isMarked })
    return response
  }
  try {
    return await timedCall({ ...context, transport }, op, input)
  } catch (error) {
    if (!statusesWithoutCall.includes(last.status)) throw error
    if (error instanceof Refused || last.isMarked) return undefined
    // A backend that marks none of its responses is not ours; behind a gateway, ours would mark this one.
    const isOtherBackend = await timedCall({ ...context, transport }, 'config').then(
      () => !last.isMarked,
      () => false,
    )
    if (isOtherBackend) return undefined
    throw error
  }
}
