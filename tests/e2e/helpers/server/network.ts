import type { NetworkProxy } from '../../../helpers/network/proxy.ts'

/**
 * From now on the response to one request for each of these beginnings of a request line is lost after the
 * server has handled it. Returns the beginnings whose response was lost so far.
 */
export function loseAnswers(proxy: NetworkProxy, starts: readonly string[]): string[] {
  const lost: string[] = []
  proxy.set({
    kind: 'answer lost',
    losing: (line) => {
      const start = starts.find((each) => line.startsWith(each) && !lost.includes(each))
      if (start) lost.push(start)
      return start !== undefined
    },
  })
  return lost
}

export const count = (requests: readonly string[], start: string): number =>
  requests.filter((line) => line.startsWith(start)).length
