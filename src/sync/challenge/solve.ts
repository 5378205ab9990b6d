let before: Promise<unknown> = Promise.resolve()

/** Solves a challenge in a Web Worker, one after another: a phone has more to do (S68). Rejects when it cannot. */
export function solve(challenge: object): Promise<string> {
  const solved = before.then(() =>
    typeof Worker === 'undefined' ? inThisThread(challenge) : inWorker(challenge),
  )
  before = solved.catch(() => undefined)
  return solved
}

/** In Node, which has no Web Workers. */
const inThisThread = async (challenge: object) => (await import('./work.ts')).work(challenge)

async function inWorker(challenge: object): Promise<string> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  try {
    const solution = await new Promise<unknown>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = () => reject(new Error('The worker that solves challenges failed'))
      worker.postMessage(challenge)
    })
    if (typeof solution !== 'string') throw new Error('The challenge was not solved')
    return solution
  } finally {
    worker.terminate()
  }
}
