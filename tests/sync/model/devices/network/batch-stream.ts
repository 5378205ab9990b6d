import type { SimulatedTime } from '../clock.ts'
import type { Fate } from './faults.ts'

/** One outcome of a batch's answer. */
export type BatchLine = { key: string; status: number; text: string }

/** The outcomes of a batch's whole answer; none when it is no stream of lines. */
export function linesOf(text: string, { status, headers }: Response): BatchLine[] {
  if (status !== 200 || !headers.get('content-type')?.startsWith('application/x-ndjson')) return []
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ ...(JSON.parse(line) as { key: string; status: number }), text: line }))
}

/** Who hears the lines of a batch. */
type Reader = {
  signal: AbortSignal
  isDead(): boolean
  /** Resolves at once, or when a frozen page runs again. */
  thawed(): Promise<void>
  heard(line: BatchLine): void
  over(): void
}

/**
 * The answer to a batch as it reaches the phone: each line travels on its own. `torn` ends in the
 * middle of a line, `cut between lines` after one; `slow back` lets a minute pass between two.
 */
export function carryLines(
  time: SimulatedTime,
  answer: Response,
  lines: readonly BatchLine[],
  fate: Fate | undefined,
  reader: Reader,
): Response {
  const half = Math.floor(lines.length / 2)
  let isOpen = true
  const end = (last: () => void) => {
    if (!isOpen) return
    isOpen = false
    last()
    reader.over()
  }
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const cut = () => end(() => controller.error(new TypeError('network error')))
      reader.signal.addEventListener('abort', cut, { once: true })
      void deliver(controller, cut)
    },
    cancel: () => end(() => {}),
  })
  return new Response(body, answer)

  async function deliver(controller: ReadableStreamDefaultController<Uint8Array>, cut: () => void) {
    for (const [at, line] of lines.entries()) {
      if (fate === 'slow back' && at === half) await time.sleep(60_000)
      await time.travel()
      await reader.thawed()
      if (!isOpen) return
      if (reader.isDead()) return cut()
      if (at === half && fate === 'cut between lines') return cut()
      const bytes = new TextEncoder().encode(`${line.text}\n`)
      if (at === half && fate === 'torn') {
        controller.enqueue(bytes.slice(0, bytes.length / 2))
        return cut()
      }
      reader.heard(line)
      controller.enqueue(bytes)
    }
    end(() => controller.close())
  }
}
