import type { NetworkProxy } from '../../../helpers/network/proxy.ts'

/**
 * From now on the first `most` responses to requests whose request line begins with `start` are lost
 * after the server has handled them. `times` counts the lost ones.
 */
export function loseAnswers(proxy: NetworkProxy, start: string, most: number): { times: number } {
  const lost = { times: 0 }
  proxy.set({
    kind: 'answer lost',
    losing: (line) => {
      if (!line.startsWith(start) || lost.times >= most) return false
      lost.times += 1
      return true
    },
  })
  return lost
}

export const count = (requests: readonly string[], start: string): number =>
  requests.filter((line) => line.startsWith(start)).length
