import { type CallResult, call } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Refusal } from '#domain/errors.ts'
import type { ServerReply } from '#store/outbox/product.ts'
import { deadline } from '../platform/context.ts'
import { type AnyRequest, type Asking, type EntryCall, requestOf } from './requests.ts'

const patience = 30_000

/** Makes the call of one entry, under its request key. Throws as `SendRequest` says. */
export async function sendCall(asking: Asking): Promise<ServerReply> {
  const request = requestOf(asking.entry.op)
  if (!request) throw new Error(`No request is known for ${asking.entry.op}`)
  const about = await request.call(asking)
  return replyOf(request, asking, () => ask(asking, about))
}

/** What the answer of a call means for its entry. Throws as `SendRequest` says. */
export async function replyOf(
  request: AnyRequest,
  asking: Asking,
  answered: () => Promise<CallResult<Op>>,
): Promise<ServerReply> {
  try {
    return await request.reply(asking, await answered())
  } catch (error) {
    const instead = await request.onFailure?.(asking, error)
    if (instead instanceof Refusal) throw instead
    if (instead) return instead
    throw error
  }
}

/** One call with the entry's own key, clock and token (S1, S8, S33), and a time limit. */
async function ask(
  { context, entry, credentials }: Asking,
  { op, input }: EntryCall,
): Promise<CallResult<Op>> {
  const { signal, clear } = deadline(context.clock, patience)
  try {
    return await call(context.transport, context.base, op, {
      ...input,
      key: entry.id,
      occurredAt: entry.occurredAt,
      token: credentials.token,
      signal,
    })
  } finally {
    clear()
  }
}
