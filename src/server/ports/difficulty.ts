/**
 * The work of a challenge (R143): a key is derived again and again until it begins with `prefix` (hex digits). `cost`:
 * iterations of PBKDF2 for each key.
 */
export type Difficulty = { cost: number; prefix: string }

/** 256 keys on average, which takes a cheap phone about a second. */
export const usualDifficulty: Difficulty = { cost: 2_000, prefix: '00' }
