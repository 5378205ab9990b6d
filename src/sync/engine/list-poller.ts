import type { Tools } from '../platform/context.ts'
import type { Surroundings } from '../platform/environment.ts'
import { withRoom } from '../platform/storage-quota.ts'
import { pull } from '../pull/pull.ts'
import type { Agenda } from './poll-schedule.ts'
import { type Heard, heardIn, type Reach } from './reachability.ts'

type About = {
  tools: Tools
  surroundings: Surroundings
  agenda: Agenda
  reach: Reach
  wanted: () => Promise<string[]>
}

/** Asks the server for lists when their time has come, as long as somebody answers. */
export function createReader({ tools, surroundings, agenda, reach, wanted }: About) {
  /** Returns when the next list's time will have come, milliseconds since 1970. */
  async function pullDue(): Promise<number> {
    if (!surroundings.isVisible()) return Number.POSITIVE_INFINITY
    const asked = new Set<string>()
    const isDue = (name: string) => !asked.has(name) && agenda.due(name) <= tools.clock.now()
    for (;;) {
      // Looked up anew after each answer: a screen left meanwhile needs its lists no more, and one opened is not kept waiting.
      const names = await wanted()
      const name = names.find(isDue)
      if (name === undefined) return Math.min(...names.map(agenda.due))
      asked.add(name)
      if ((await ask(name)) === 'silent') return tools.clock.now() + reach.pause()
    }
  }

  async function ask(name: string): Promise<Heard> {
    const pulled = await withRoom(tools, () => pull(tools, name))
    const heard = heardIn(pulled)
    const key = `failing:${name}`
    if (heard === 'busy') {
      agenda.putOff(name, pulled.retryAfter)
      await tools.db.meta.put({ key, value: true })
    }
    if (heard === 'answered' && agenda.answered(name, pulled.every, pulled.result === 'fresh'))
      if (await tools.db.meta.get(key)) await tools.db.meta.delete(key)
    if (pulled.result !== 'not-asked') await reach.note(heard)
    return heard
  }

  return { pullDue, ask }
}
