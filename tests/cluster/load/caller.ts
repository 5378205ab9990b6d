import { setTimeout as pause } from 'node:timers/promises'
import { v7 } from 'uuid'
import { type CallInput, type CallResult, call } from '#contract/call.ts'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { Refused, Unreachable } from '#contract/errors.ts'
import type { BodyOf } from '#contract/queries.ts'
import type { Reason } from '#domain/errors.ts'
import type { Journal } from './journal.ts'

export type Caller = ReturnType<typeof openCaller>

type Question<O extends Op> = CallInput & { body?: BodyOf<O> }

/** Milliseconds: of one request, and between two tries. */
const patience = { request: 25_000, least: 100, most: 500 }

/** Statuses that say "later": of the balancer, and of a server without its database. */
const later = [502, 503, 504]

/** Calls as a phone does: a change has a request key, and is sent again with it until there is an answer (S1). */
export function openCaller(origin: string, journal: Journal) {
  const transport = (request: Request) =>
    fetch(request, { signal: AbortSignal.timeout(patience.request) })

  async function untilAnswered<O extends Op>(op: O, question: Question<O>): Promise<CallResult<O>> {
    for (let tries = 0; ; tries++) {
      try {
        return await call(transport, `${origin}/api`, op, question)
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
        const { status } = error
        if (status !== undefined && !later.includes(status))
          journal.violate(`${op} was answered with ${status}`)
        const phase = journal.now()
        phase.failed++
        if (tries === 0) phase.interrupted++
        await pause(patience.least + Math.random() * (patience.most - patience.least))
      }
    }
  }

  return {
    async read<O extends Op>(op: O, question: Question<O> = {}) {
      const { value } = await untilAnswered(op, question)
      journal.now().reads++
      if (!value) throw new Error(`${op} has no value`)
      return value
    },

    /** `expected`: refusals that are right, as when another driver was faster; then it is undefined. */
    async change<O extends Op>(op: O, question: Question<O>, expected: Reason[] = []) {
      const sentAt = performance.now()
      const key = question.key ?? v7()
      try {
        const { value } = await untilAnswered(op, { ...question, key })
        journal.changed(sentAt)
        return value
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        if (!expected.includes(error.reason))
          journal.violate(`${endpoints[op].path} was refused: ${error.status} ${error.reason}`)
        return undefined
      }
    },
  }
}
