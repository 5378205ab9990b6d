import { Unreachable } from '#contract/wire-errors.ts'
import { note } from '../database/device/diagnostics.ts'
import type { SyncContext } from '../platform/context.ts'

type Solver = Pick<SyncContext, 'solve'>

/** Makes a request, and once more with the solution where its response asks for one (S68). */
export async function withProof<T>(
  context: Solver,
  ask: (proof?: string) => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const proof = await proofFor(context, error)
    if (proof === undefined) throw error
    return ask(proof)
  }
}

/** The solution of the challenge that this failure brought; nothing where there is none, or it cannot be solved. */
export async function proofFor({ solve }: Solver, error: unknown): Promise<string | undefined> {
  if (!(error instanceof Unreachable) || !error.challenge) return undefined
  return solve?.(error.challenge).catch((cause: unknown) => {
    note('A challenge was not solved', { error: cause })
    return undefined
  })
}
