import type { Fate } from '../devices/network/faults.ts'
import type { Scenario, Step } from '../scenario/generate/scenarios.ts'
import type { Owner, Settings } from '../scenario/simulation.ts'

export const all = { pace: 100 }
export const phone = 0
export const minute = 60
export const year = 365 * 24 * 60 * minute
/** A small scenario of one event alone. */
export const small = (owner: Owner, steps: Step[], settings: Settings = {}): Scenario => ({
  seed: 1,
  owners: [owner],
  steps,
  ...settings,
})
export const act: Step = { do: 'act', phone, pick: 0, right: true, ...all }
export const guest: Step = { do: 'request', phone, mode: 'guest', ...all }
export const pass = (seconds: number): Step => ({ do: 'pass', seconds, ...all })
export const look = (seconds: number): Step => ({ do: 'pass', seconds, looking: true, ...all })
export const repair = (how: 'discard' | 'retry'): Step => ({
  do: 'repair',
  phone,
  pick: 0,
  how,
  ...all,
})
export const finish = (pick: number): Step => ({ do: 'finish', phone, pick, ...all })
export const calls = (fate: Fate, times: number): Step => ({
  do: 'network fault',
  phone,
  fault: { fate, times, only: 'says' },
  ...all,
})
export const lasting = (fate: Fate, seconds: number, path?: string): Step => ({
  do: 'network fault',
  phone,
  fault: { fate, times: 1, only: 'any', seconds, path },
  ...all,
})
export const setClock = (seconds: number, closed: boolean, forSeconds?: number): Step => ({
  do: 'set clock',
  phone,
  seconds,
  forSeconds,
  closed,
  ...all,
})
