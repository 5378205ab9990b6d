import type { History } from './deeds.ts'

/** Histories that once went wrong, made small, under what they showed. They stay. */
export const pinned: Record<string, History> = {
  'S7: what is on its way is not put back by trying it again': {
    seed: 4,
    owners: ['driver one'],
    steps: [
      {
        do: 'weather',
        phone: 0,
        weather: { fate: 'slow there', times: 9, only: 'says' },
        pace: 100,
      },
      { do: 'request', phone: 0, mode: 'guest', pace: 100 },
      { do: 'repair', phone: 0, pick: 5, how: 'retry', pace: 100 },
    ],
  },
  'S5: a driver who is no longer approved keeps no adverts': {
    seed: 1781187398,
    owners: ['driver one'],
    steps: [{ do: 'review', who: 'driver one', status: 'rejected', pace: 4 }],
  },
}
