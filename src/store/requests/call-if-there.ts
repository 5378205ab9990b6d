import { type CallInput, type CallResult, call } from '#contract/calls/call.ts'
import type { Op } from '#contract/endpoints.ts'
import type { Transport } from '#contract/transport.ts'
import { deadline, type SyncContext } from '#sync/platform/context.ts'

const patience = 30_000

/** Statuses of a backend without a call, whatever its answer says. */
const statusesWithoutCall = [404, 405]

/** A call that other backends may not have: nothing where there is none. Throws as `call` does. */
export async function callIfThere<O extends Op>(
  context: SyncContext,
  op: O,
  input: CallInput,
): Promise<CallResult<O> | undefined> {
  const { signal, clear } = deadline(context.clock, patience)
  let status = 0
  const transport: Transport = async (request) => {
    const response = await context.transport(request)
    status = response.status
    return response
  }
  try {
    return await call(transport, context.base, op, { ...input, signal })
  } catch (error) {
    if (statusesWithoutCall.includes(status)) return undefined
    throw error
  } finally {
    clear()
  }
}
