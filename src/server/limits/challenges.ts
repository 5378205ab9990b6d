import * as z from 'zod/mini'
import type { Difficulty } from '../ports/limits.ts'
import type { Ports } from '../ports/ports.ts'
import { equalSecrets } from '../ports/secrets.ts'
import { TooManyAttempts } from './rate-limits.ts'

/** Milliseconds for which a challenge can be solved. */
const lifetime = 10 * 60_000
/** The most by which the heat of an address multiplies the work. */
const hardest = 16

/** Characters of a solution. */
const longest = 2_000

const Solution = z.object({
  challenge: z.looseObject({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      data: z.object({ from: z.string(), until: z.number() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

/** Loaded when it is needed: the demo's server asks for no proof. */
const altcha = async () => {
  const [lib, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ])
  return { ...lib, deriveKey }
}

/** Proof of work, which every server process over one database can check (R143). */
export function challenges({
  secrets,
  clock,
  options,
}: Pick<Ports, 'secrets' | 'clock' | 'options'>) {
  const signing = () => secrets.keyed('challenge')
  const keyOf = (address: string) => secrets.keyed('challenge address', address)

  async function issue(address: string, { cost, prefix }: Difficulty): Promise<object> {
    const { createChallenge, deriveKey } = await altcha()
    return createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost,
      keyPrefix: prefix,
      deriveKey,
      data: { from: keyOf(address), until: clock() + lifetime },
      hmacSignatureSecret: signing(),
    })
  }

  return {
    /** Adds a challenge to a refusal that asks for one. Never inside a transaction. */
    async attach(error: unknown, address: string): Promise<void> {
      if (!(error instanceof TooManyAttempts) || error.heat === undefined || !options.challenge)
        return
      const factor = Math.min(hardest, 2 ** Math.floor(Math.log2(Math.max(1, error.heat))))
      const { cost, prefix } = options.challenge
      error.challenge = await issue(address, { cost: cost * factor, prefix })
    },

    /** The name of the challenge that this text solves, for this address and in time; else `undefined`. */
    async check(text: string | null, address: string): Promise<string | undefined> {
      if (text === null || text.length > longest || !options.challenge) return undefined
      const read = Solution.safeParse(parsed(text))
      if (!read.success) return undefined
      const { challenge, solution } = read.data
      const { data, nonce } = challenge.parameters
      if (data.until < clock() || !equalSecrets(data.from, keyOf(address))) return undefined
      const { verifySolution, deriveKey } = await altcha()
      const { verified } = await verifySolution({
        challenge,
        solution,
        deriveKey,
        hmacSignatureSecret: signing(),
      })
      return verified ? nonce : undefined
    },
  }
}

/** The JSON in base64; `undefined` for anything else. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(atob(text))
  } catch {
    return undefined
  }
}
