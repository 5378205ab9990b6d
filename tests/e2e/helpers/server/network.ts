import type { NetworkProxy } from '../../../helpers/network/proxy.ts'

/** From now on the first `most` answers to requests that begin like this are lost after the server has acted. */
export function loseAnswers(road: NetworkProxy, start: string, most: number): { times: number } {
  const lost = { times: 0 }
  road.set({
    kind: 'deaf',
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
