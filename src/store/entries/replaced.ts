import type { Entry } from './operations.ts'

/**
 * A test of whether one of `others` replaced a cancelled entry: a later one of the same operation about the
 * same delivery or photo, as a second delivery code replaces a wrong one (S28).
 */
export function isReplacedBy(others: readonly Entry[]): (entry: Entry) => boolean {
  /** The newest `seq` of each operation on each subject. */
  const newest = new Map<string, number>()
  for (const other of others)
    for (const subject of subjectsOf(other))
      newest.set(subject, Math.max(other.seq, newest.get(subject) ?? 0))
  return (entry) =>
    entry.state === 'cancelled' &&
    subjectsOf(entry).some((subject) => (newest.get(subject) ?? 0) > entry.seq)
}

const subjectsOf = ({ account, op, lane, photos: [photo] }: Entry): string[] => [
  `${account} ${op} lane ${lane}`,
  ...(photo === undefined ? [] : [`${account} ${op} photo ${photo}`]),
]
