import type { CallResult } from '#contract/calls/call.ts'
import { readResponse } from '#contract/calls/call-line.ts'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { Refused, Unreadable } from '#contract/wire-errors.ts'
import { Refusal, reasonTexts } from '#domain/errors.ts'
import { withProof } from '#sync/challenge/with-proof.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { NoWithdrawal, type ServerReply } from '#sync/model.ts'
import { callIfThere } from './call-if-there.ts'
import { type Asking, callOf, type EntryCall, responseReaderOf } from './entry-requests.ts'
import { required, timedCall } from './timed-call.ts'

const emptyReply: ServerReply = { rows: [], staleLists: [], bytes: 0 }

/** Makes the call of one entry, under its request key. Throws as `SendRequest` says. */
export async function sendCall(asking: Asking): Promise<ServerReply> {
  const about = await callOf(asking)
  return replyOf(asking, () =>
    withProof(asking.context, (proof) =>
      asking.entry.withdrawal ? withdraw(asking, about.op, proof) : ask(asking, about, proof),
    ),
  )
}

/** What the response to a call means for its entry. Throws as `SendRequest` says. */
export async function replyOf(
  asking: Asking,
  respond: () => Promise<CallResult<Op>>,
): Promise<ServerReply> {
  const { reply, onFailure } = responseReaderOf(asking.entry.op)
  try {
    return await reply(asking, await respond())
  } catch (error) {
    const instead = await onFailure?.(asking, error)
    if (instead instanceof Refusal) throw instead
    if (instead) return instead
    // A guest's token is dead once the delivery was opened on another phone (S74).
    if (error instanceof Refused && error.status === 401 && asking.entry.account === guestAccount)
      throw new Refused(401, 'moved', reasonTexts.moved)
    // It has worked; what has become of the row an update will read.
    if (error instanceof Unreadable) return emptyReply
    throw error
  }
}

/**
 * Withdraws an entry's request in place of sending it (S56). Resolves to the first response of a request that took effect.
 * Throws `withdrawn` where it did not, `NoWithdrawal` where the backend has no such call.
 */
async function withdraw(
  { context, entry, credentials: { token } }: Asking,
  op: Op,
  proof: string | undefined,
): Promise<CallResult<Op>> {
  const { guestSecret } = { guestSecret: undefined, ...entry.input }
  const about = { id: entry.id, body: { guestSecret }, token, proof }
  const response = await callIfThere(context, 'withdrawRequest', about)
  if (!response) throw new NoWithdrawal()
  const first = required(response)
  if (first.state === 'withdrawn') throw new Refusal('withdrawn')
  const done = { status: first.status ?? 200, body: first.body }
  return { ...response, ...done, ...readResponse(endpoints[op], { ...done, isMarked: true }) }
}

/** One call with the entry's own key, clock and token (S1, S8, S33), and a time limit. */
const ask = (
  { context, entry, credentials }: Asking,
  { op, input }: EntryCall,
  proof: string | undefined,
): Promise<CallResult<Op>> =>
  timedCall(context, op, {
    ...input,
    key: entry.id,
    occurredAt: entry.occurredAt,
    token: credentials.token,
    proof,
  })
