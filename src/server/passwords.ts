import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '#domain/errors.ts'
import type { Passwords } from './gateways.ts'

/** Argon2id, 19 MiB, two passes, one lane: 29 ms on a small machine. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** No more than this many wait; at 29 ms each that is two seconds on two cores. */
const longestQueue = 100

/** Hashing takes a core and 19 MiB, so at most `atOnce` run and the rest wait their turn, up to a point. */
export function argonPasswords(atOnce: number): Passwords {
  const inTurn = queue(atOnce)
  const nobodys = hash('nobody has this password', cost)
  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    async verify(kept, password) {
      const against = kept ?? (await nobodys)
      const right = await inTurn(() => verify(against, password))
      return kept !== undefined && right
    },
  }
}

function queue(atOnce: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= longestQueue) throw new Refusal('unavailable')
      await new Promise<void>((turn) => waiting.push(turn))
    } else running++
    try {
      return await work()
    } finally {
      // The place goes straight to who waits longest.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
