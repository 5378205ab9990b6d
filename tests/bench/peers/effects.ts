/** The effects on the server, printed beside every time. */
export type Effects = {
  /** Distinct effects. */
  happened: number
  /** Repeated effects. */
  duplicates: number
  /** Expected effects that are missing. */
  lost: number
  /** A dispute about a delivery that did not yet exist. */
  early: number
  /** Requests that overtook an earlier one of another delivery; only a strictly ordered queue prevents this. */
  overtook: number
}

/** Counts effects by title: "Parcel 7", or "Issue 7", which is about it. */
export class Ledger {
  private readonly counts = new Map<string, number>()
  private early = 0
  private overtook = 0
  private newest = -1

  add(title: string): void {
    const before = this.counts.get(title) ?? 0
    this.counts.set(title, before + 1)
    if (before > 0) return
    const [kind, number] = title.split(' ')
    if (kind === 'Issue' && !this.counts.has(`Parcel ${number}`)) this.early++
    if (kind !== 'Parcel') return
    if (Number(number) < this.newest) this.overtook++
    this.newest = Math.max(this.newest, Number(number))
  }

  /** `expected`: the number of effects there should be. */
  sum(expected: number): Effects {
    const all = [...this.counts.values()].reduce((sum, count) => sum + count, 0)
    const happened = this.counts.size
    const { early, overtook } = this
    return { happened, duplicates: all - happened, lost: expected - happened, early, overtook }
  }
}

/** The sum of several runs. */
export const together = (all: Effects[]): Effects =>
  all.reduce((sum, each) => ({
    happened: sum.happened + each.happened,
    duplicates: sum.duplicates + each.duplicates,
    lost: sum.lost + each.lost,
    early: sum.early + each.early,
    overtook: sum.overtook + each.overtook,
  }))

/** As text; only the count when nothing is wrong. */
export function inWords({ happened, duplicates, lost, early, overtook }: Effects): string {
  const wrong = [
    [duplicates, 'twice'],
    [lost, 'lost'],
    [early, 'before its parent'],
    [overtook, 'overtook'],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))
  return [`${happened} once`, ...wrong].join(', ')
}
