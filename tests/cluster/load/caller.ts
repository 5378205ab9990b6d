import { setTimeout as pause } from 'node:timers/promises'
import { v7 } from 'uuid'
import { type CallInput, type CallResult, call } from '#contract/calls/call.ts'
import { endpoints, type Op } from '#contract/endpoints.ts'
import type { BodyOf } from '#contract/queries.ts'
import { Refused, Unreachable } from '#contract/wire-errors.ts'
import type { Reason } from '#domain/errors.ts'
import type { Journal } from './journal.ts'

export type Caller = ReturnType<typeof openCaller>

type Question<O extends Op> = CallInput & { body?: BodyOf<O> }

/** Milliseconds: of one request, and between two tries. */
const patience = { request: 25_000, least: 100, most: 500 }

/** Statuses that say "later": of the balancer, and of a server without its database. */
const later = [502, 503, 504]

/**
 * Calls as a phone does: a change has a request key, and is sent again with it until there is an answer
 * (S1). `number` gives the phone a network address of its own.
 */
export function openCaller(origin: string, journal: Journal, number: number) {
  const transport = (request: Request) => {
    request.headers.set('x-forwarded-for', `10.1.${Math.floor(number / 250)}.${number % 250}`)
    return fetch(request, { signal: AbortSignal.timeout(patience.request) })
  }

  async function untilAnswered<O extends Op>(op: O, question: Question<O>): Promise<CallResult<O>> {
    for (let tries = 0; ; tries++) {
      try {
        return await call(transport, `${origin}/api`, op, question)
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
        const { status } = error
        if (status !== undefined && !later.includes(status))
          journal.violate(`${op} was answered with ${status}`)
        journal.failed(status === undefined ? reasonOf(error) : `${status}`, tries === 0)
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

/** What a connection failed with. */
function reasonOf(error: Error): string {
  let innermost: unknown = error
  while (innermost instanceof Error && innermost.cause) innermost = innermost.cause
  return innermost instanceof Error ? `${innermost.name}: ${innermost.message}` : String(innermost)
}
