import type { TestServer } from '../../helpers/server/server.ts'

class Undone extends Error {
  readonly result: unknown
  constructor(result: unknown) {
    super('undone')
    this.result = result
  }
}

/**
 * Every transaction runs to its end and is then undone: a call answers as ever, and changes nothing.
 * What a refused call would leave behind is kept, for tests that look for it.
 */
export function freeze({ repo }: TestServer) {
  const { transaction } = repo
  repo.transaction = async (work) => {
    try {
      return await transaction(async (stores) => {
        const result = await work(stores)
        if (isRefusal(result)) return result
        throw new Undone(result)
      })
    } catch (error) {
      if (error instanceof Undone) return error.result as never
      throw error
    }
  }
}

/** A call's work that ends in a refusal, or the same together with its request key. */
function isRefusal(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false
  return 'refusal' in result || ('reply' in result && isRefusal(result.reply))
}
