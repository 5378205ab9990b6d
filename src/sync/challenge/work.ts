import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

/** Milliseconds after which a challenge that nobody can solve is given up. */
const longest = 60_000

/** Solves a challenge of the server in this thread (S68): what `X-Challenge` carries. Rejects when it cannot. */
export async function work(challenge: object): Promise<string> {
  const asked = challenge as Parameters<typeof solveChallenge>[0]['challenge']
  const solution = await solveChallenge({ challenge: asked, deriveKey, timeout: longest })
  if (!solution) throw new Error('The challenge was not solved in time')
  return btoa(JSON.stringify({ challenge, solution }))
}
