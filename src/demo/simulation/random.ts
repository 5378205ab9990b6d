/** Random choices made from one source of numbers in [0, 1). */
export type Random = {
  /** At least `low`, less than `high`. */
  between(low: number, high: number): number
  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number
  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean
  /** One element. Throws when the list is empty. */
  pick<T>(list: readonly T[]): T
  /** A text of `length` decimal digits. */
  digits(length: number): string
}

export function randomFrom(next: () => number): Random {
  const between = (low: number, high: number) => low + next() * (high - low)
  const integer = (low: number, high: number) => Math.floor(between(low, high + 1))
  return {
    between,
    integer,
    chance: (probability) => next() < probability,
    pick(list) {
      const found = list[integer(0, list.length - 1)]
      if (found === undefined) throw new Error('Cannot pick from an empty list')
      return found
    },
    digits: (length) => Array.from({ length }, () => integer(0, 9)).join(''),
  }
}

/** Numbers in [0, 1) that repeat for the same seed (mulberry32). */
export function seededNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
