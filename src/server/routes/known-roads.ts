import { type Distance, distancesOf } from '#domain/zones/roads.ts'
import type { Ports } from '../ports/ports.ts'

/** The distances over the roads as they are now (R163), kept in this process for the ways of all event streams (R95). */
export function knownRoads({ repo, log }: Pick<Ports, 'repo' | 'log'>) {
  let known: Distance | undefined
  /** The newest read: what one before it brings may lack a change that came meanwhile. */
  let reading: Promise<void> | undefined
  let isAsked = false

  function read(): Promise<void> {
    const own: Promise<void> = repo
      .read((stores) => stores.zones.list())
      .then(
        (zones) => {
          if (reading === own) known = distancesOf(zones)
        },
        (error: unknown) =>
          log.warn(
            { err: error },
            'The roads were not read; ways bring every job until a heartbeat',
          ),
      )
      .finally(() => {
        if (reading === own) reading = undefined
      })
    reading = own
    return own
  }

  return {
    /** Nothing while they are being read. */
    distance: (): Distance | undefined => known,
    /** Reads them where they are not known. */
    async know(): Promise<void> {
      isAsked = true
      if (!known) await (reading ?? read())
    },
    /** The zones have changed, or may have. */
    change(): void {
      known = undefined
      reading = undefined
      if (isAsked) void read()
    },
  }
}
