import type { User } from '#domain/users/user.ts'
import type { Ports } from '../ports/ports.ts'

const day = 24 * 60 * 60 * 1000
/** Milliseconds a cursor is accepted; an older one gets a full response. */
const cursorLifetime = 7 * day

/** What a cursor belongs to: its reader, and the list with its filters. */
type CursorScope = { reader: User; list: object; search?: string }

/**
 * Cursors as clients hold them: the adapter's own cursor, its time, and a keyed hash over both, the reader
 * and the list (R73). One that is forged, of another reader or list, older than seven days, or from before
 * the reader's driver status changed is ignored.
 */
export function listCursors({ secrets, clock }: Pick<Ports, 'secrets' | 'clock'>) {
  const sign = ({ reader, list, search = '' }: CursorScope, cursor: string, given: string) => {
    const { ID, role, driverStatus = '' } = reader
    const of = [ID, role, driverStatus, JSON.stringify(list), search]
    return secrets.keyed('cursor', ...of, cursor, given).slice(0, 32)
  }

  return {
    /** The adapter's cursor as clients get it. */
    issue(of: CursorScope, cursor: string): string {
      const given = clock().toString(36)
      return `${cursor}.${given}.${sign(of, cursor, given)}`
    },
    /** The adapter's cursor in a `since`; `undefined` when the response must be full. */
    read(of: CursorScope, since: string | undefined): string | undefined {
      const [cursor, given, signature, ...rest] = since?.split('.') ?? []
      if (cursor === undefined || given === undefined || rest.length > 0) return undefined
      // Hashes are compared, so that the time does not reveal the right signature.
      if (secrets.hash(signature ?? '') !== secrets.hash(sign(of, cursor, given))) return undefined
      const age = clock() - Number.parseInt(given, 36)
      return age <= cursorLifetime ? cursor : undefined
    },
  }
}
