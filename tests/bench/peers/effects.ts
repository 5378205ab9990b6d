/** What a server saw happen, whoever asked for it: the truth beside every time. */
export type Effects = {
  /** Things that happened, each counted once. */
  happened: number
  /** The same thing again. */
  duplicates: number
  /** Asked for and never happened. */
  lost: number
  /** A dispute about a delivery that did not yet exist. */
  early: number
  /** Overtook one that was made before it, of another delivery: nobody but a strict queue promises that it cannot. */
  overtook: number
}

/** Counts effects by the title each was given: "Parcel 7", or "Issue 7" which is about it. */
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

  /** `wanted`: how many things were to happen. */
  sum(wanted: number): Effects {
    const all = [...this.counts.values()].reduce((sum, count) => sum + count, 0)
    const happened = this.counts.size
    const { early, overtook } = this
    return { happened, duplicates: all - happened, lost: wanted - happened, early, overtook }
  }
}

/** Of several runs, added up. */
export const together = (all: Effects[]): Effects =>
  all.reduce((sum, each) => ({
    happened: sum.happened + each.happened,
    duplicates: sum.duplicates + each.duplicates,
    lost: sum.lost + each.lost,
    early: sum.early + each.early,
    overtook: sum.overtook + each.overtook,
  }))

/** In words; nothing but the count when all is well. */
export function inWords({ happened, duplicates, lost, early, overtook }: Effects): string {
  const wrong = [
    [duplicates, 'twice'],
    [lost, 'lost'],
    [early, 'before its parent'],
    [overtook, 'overtook'],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))
  return [`${happened} once`, ...wrong].join(', ')
}
