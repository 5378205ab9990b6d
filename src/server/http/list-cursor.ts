import type { User } from '#domain/user.ts'
import type { Ports } from '../ports/ports.ts'

const day = 24 * 60 * 60 * 1000
/** Milliseconds a cursor is understood; an older one gets a full answer. */
const cursorLifetime = 7 * day

/** What a cursor belongs to: the person it was given to, and the list with all that narrows it. */
export type CursorScope = { reader: User; list: object; search?: string }

/**
 * Cursors as they travel: the adapter's own, the time it was given, and a keyed hash over both, the
 * reader and the list. One that was made up, was given to somebody else, for another list, before
 * their driver application was decided anew, or more than seven days ago is not understood.
 */
export function listCursors({ secrets, clock }: Pick<Ports, 'secrets' | 'clock'>) {
  const sign = ({ reader, list, search = '' }: CursorScope, cursor: string, given: string) => {
    const { ID, role, driverStatus = '' } = reader
    const of = [ID, role, driverStatus, JSON.stringify(list), search]
    return secrets.keyed('cursor', ...of, cursor, given).slice(0, 32)
  }

  return {
    /** The adapter's cursor as it is given out. */
    issue(of: CursorScope, cursor: string): string {
      const given = clock().toString(36)
      return `${cursor}.${given}.${sign(of, cursor, given)}`
    },
    /** The adapter's cursor in a `since`; nothing when the answer has to be full. */
    read(of: CursorScope, since: string | undefined): string | undefined {
      const [cursor, given, signature, ...rest] = since?.split('.') ?? []
      if (cursor === undefined || given === undefined || rest.length > 0) return undefined
      // A keyed hash, compared as one: how long it takes tells nothing of the right one.
      if (secrets.hash(signature ?? '') !== secrets.hash(sign(of, cursor, given))) return undefined
      const age = clock() - Number.parseInt(given, 36)
      return age <= cursorLifetime ? cursor : undefined
    },
  }
}
