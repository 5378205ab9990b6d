import type { SimulatedTime } from '../clock.ts'

/** What can happen to an event stream: at once, or to its next event. */
export const streamFates = [
  'cut',
  'silent',
  'torn',
  'twice',
  'late',
  'in pieces',
  'none here',
] as const
export type StreamFate = (typeof streamFates)[number]

/** Milliseconds. Later than a beat, sooner than the end of patience. */
const lateBy = 40_000
/** A phone waits a minute for the next word; with this much more it has waited too long. */
const longestSilence = 65_000

/** Who reads a stream, and the callbacks for its end and for a silence that is too long. */
export type Listener = {
  isDead(): boolean
  /** Resolves at once, or when a frozen page runs again. */
  thawed(): Promise<void>
  isFrozen(): boolean
  signal: AbortSignal
  over(): void
  /** It has said nothing for longer than anybody should wait, and is still listened to. */
  hangs(): void
}

type StreamLine = { cut(): void; silence(): void }

/**
 * The lines of one phone on which streams come. What is said on one arrives in its order, each word
 * on its way for a while like everything else.
 */
export function createStreams(time: SimulatedTime, isDown: () => boolean) {
  const open = new Set<StreamLine>()
  const met: StreamFate[] = []

  function addFault(fate: StreamFate): void {
    if (fate === 'cut') for (const line of [...open]) line.cut()
    else if (fate === 'silent') for (const line of open) line.silence()
    else met.push(fate)
  }

  /** Whether the next request for a stream is answered with 501. */
  function isMissing(): boolean {
    const at = met.indexOf('none here')
    if (at >= 0) met.splice(at, 1)
    return at >= 0
  }

  function nextFate(): StreamFate | undefined {
    const at = met.findIndex((fate) => fate !== 'none here')
    return at >= 0 ? met.splice(at, 1)[0] : undefined
  }

  /** The server's stream, as it reaches the phone. */
  function carry(
    said: Response,
    { isDead, thawed, isFrozen, signal, over, hangs }: Listener,
  ): Response {
    const source = (said.body as ReadableStream<Uint8Array>).getReader()
    let phone: ReadableStreamDefaultController<Uint8Array>
    let isOpen = true
    let isSilent = false
    let patience: unknown
    const line: StreamLine = {
      cut: () => end(() => phone.error(new TypeError('network error'))),
      silence: () => {
        isSilent = true
      },
    }
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        phone = controller
      },
      cancel: () => end(() => {}),
    })
    open.add(line)
    signal.addEventListener('abort', line.cut, { once: true })
    wait()
    void pump()
    return new Response(body, said)

    function end(lastWord: () => void) {
      if (!isOpen) return
      isOpen = false
      open.delete(line)
      time.clearTimer(patience as Parameters<SimulatedTime['clearTimer']>[0])
      signal.removeEventListener('abort', line.cut)
      void source.cancel().catch(() => {})
      lastWord()
      over()
    }

    function wait() {
      time.clearTimer(patience as Parameters<SimulatedTime['clearTimer']>[0])
      patience = time.setTimer(() => !isDead() && (isFrozen() ? wait() : hangs()), longestSilence)
    }

    async function pump() {
      while (isOpen) {
        const { done, value } = await source.read()
        await time.travel()
        await thawed()
        if (!isOpen) return
        if (isDead()) return line.cut()
        if (isDown()) isSilent = true
        if (isSilent) {
          // What ends unheard leaves the phone waiting.
          if (done) return
          continue
        }
        if (done) return end(() => phone.close())
        await deliver(value)
      }
    }

    async function deliver(word: Uint8Array) {
      const fate = nextFate()
      if (fate === 'late') await time.sleep(lateBy)
      if (fate === 'late') await time.travel()
      if (!isOpen) return
      wait()
      const middle = Math.floor(word.length / 2)
      if (fate !== 'torn' && fate !== 'in pieces') {
        phone.enqueue(word)
        if (fate === 'twice') phone.enqueue(word)
        return
      }
      phone.enqueue(word.slice(0, middle))
      await time.travel()
      if (!isOpen) return
      if (fate === 'torn') line.cut()
      else phone.enqueue(word.slice(middle))
    }
  }

  return {
    befall: addFault,
    isMissing,
    carry,
    /** Nothing more befalls anybody. */
    clear: () => {
      met.length = 0
    },
  }
}
