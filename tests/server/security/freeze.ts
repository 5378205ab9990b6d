import type { TestServer } from '../../helpers/server/server.ts'

class Undone extends Error {
  readonly result: unknown
  constructor(result: unknown) {
    super('undone')
    this.result = result
  }
}

/**
 * Rolls every transaction back after its last statement: a call responds as usual and changes nothing.
 * Transactions that end in a refusal are committed, so that tests can see what they leave behind. Returns what ends it.
 */
export function freeze({ repo }: TestServer): () => void {
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
  return () => {
    repo.transaction = transaction
  }
}

/** Whether a call ended in a refusal, with or without a request key. */
function isRefusal(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false
  return 'refusal' in result || ('reply' in result && isRefusal(result.reply))
}
