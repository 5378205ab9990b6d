/** Chance, as the demo uses it: of one source of numbers in [0, 1). */
export type Dice = {
  /** From `low` up to, not including, `high`. */
  between(low: number, high: number): number
  /** Of `low` to `high`, both included. */
  whole(low: number, high: number): number
  chance(of: number): boolean
  pick<T>(list: readonly T[]): T
  digits(length: number): string
}

export function diceOf(random: () => number): Dice {
  const between = (low: number, high: number) => low + random() * (high - low)
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1))
  return {
    between,
    whole,
    chance: (of) => random() < of,
    pick(list) {
      const found = list[whole(0, list.length - 1)]
      if (found === undefined) throw new Error('There is nothing to pick from')
      return found
    },
    digits: (length) => Array.from({ length }, () => whole(0, 9)).join(''),
  }
}

/** The same seed, the same numbers (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
