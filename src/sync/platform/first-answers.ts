import type { Transport } from '#contract/transport.ts'

/** Answers that the page asked for before any script had come (src/boot.ts), each by the path of its call. */
export type FirstAnswers = Record<string, Promise<Response | undefined>>

declare global {
  var firstAnswers: FirstAnswers | undefined
}

/**
 * A transport that takes what the page has asked for already: once each, for a call that sends neither a token nor
 * a tag nor a query. What failed there is asked for again.
 */
export function takeFirstAnswers(
  transport: Transport,
  answers: FirstAnswers | undefined = globalThis.firstAnswers,
): Transport {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const { method, headers, signal } = request
    const isPlain =
      method === 'GET' && !search && !headers.has('authorization') && !headers.has('if-none-match')
    const asked = isPlain ? answers?.[pathname] : undefined
    if (!asked) return transport(request)
    delete answers?.[pathname]
    const response = await Promise.race([asked, aborted(signal)])
    return response?.ok ? response : transport(request)
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
