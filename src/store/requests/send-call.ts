import type { CallResult } from '#contract/calls/call.ts'
import { readAnswer } from '#contract/calls/call-line.ts'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { Unreadable } from '#contract/wire-errors.ts'
import { Refusal } from '#domain/errors.ts'
import { withProof } from '#sync/challenge/with-proof.ts'
import { NoWithdrawal, type ServerReply } from '#sync/model.ts'
import { callIfThere } from './call-if-there.ts'
import { type AnyRequest, type Asking, type EntryCall, requestOf } from './entry-requests.ts'
import { required, timedCall } from './timed-call.ts'

const emptyReply: ServerReply = { rows: [], staleLists: [], bytes: 0 }

/** Makes the call of one entry, under its request key. Throws as `SendRequest` says. */
export async function sendCall(asking: Asking): Promise<ServerReply> {
  const request = requestOf(asking.entry.op)
  if (!request) throw new Error(`No request is known for ${asking.entry.op}`)
  const about = await request.call(asking)
  return replyOf(request, asking, () =>
    withProof(asking.context, (proof) =>
      asking.entry.withdrawal ? withdraw(asking, about.op, proof) : ask(asking, about, proof),
    ),
  )
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
    // It has worked; what has become of the row an update will read.
    if (error instanceof Unreadable) return emptyReply
    throw error
  }
}

/**
 * Withdraws an entry's request in place of sending it (S56). Resolves to the first answer of a request that took effect.
 * Throws `withdrawn` where it did not, `NoWithdrawal` where the backend has no such call.
 */
async function withdraw(
  { context, entry, credentials: { token } }: Asking,
  op: Op,
  proof: string | undefined,
): Promise<CallResult<Op>> {
  const { guestSecret } = { guestSecret: undefined, ...entry.input }
  const about = { id: entry.id, body: { guestSecret }, token, proof }
  const answer = await callIfThere(context, 'withdrawRequest', about)
  if (!answer) throw new NoWithdrawal()
  const first = required(answer)
  if (first.state === 'withdrawn') throw new Refusal('withdrawn')
  const done = { status: first.status ?? 200, body: first.body }
  return { ...answer, ...done, ...readAnswer(endpoints[op], { ...done, isMarked: true }) }
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
