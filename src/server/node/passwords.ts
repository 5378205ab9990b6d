import { hash, verify } from '@node-rs/argon2'
import { workQueue } from '../limits/work-queue.ts'
import type { Passwords } from '../ports/ports.ts'

/** Argon2id, 19 MiB, two passes, one lane: 29 ms on a small machine. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The most hashes that wait. At 29 ms each, on two cores, the last login waits three seconds. */
const maxWaiting = { verify: 200, hash: 50 }

/**
 * Hashes passwords. A hash takes a core and 19 MiB, so few run at once and a limited number waits.
 * Logins (`verify`) have a queue of their own: sign-ups and resets (`hash`) cannot block them, and use
 * half of the cores at most.
 */
export function argonPasswords(cores: number): Passwords {
  const verifying = workQueue(cores, maxWaiting.verify)
  const hashing = workQueue(Math.max(1, Math.floor(cores / 2)), maxWaiting.hash)
  const hashOfNobody = hash('nobody has this password', cost)
  return {
    hash: (password) => hashing(() => hash(password, cost)),
    // A stored text that is no such hash is nobody's password: it stops neither a login nor a start (R211).
    async verify(storedHash, password) {
      const isHash = storedHash?.startsWith('$argon2') === true
      const against = isHash ? storedHash : await hashOfNobody
      const isRight = await verifying(() => verify(against, password))
      return isHash && isRight
    },
  }
}
