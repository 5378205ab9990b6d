import { isDeepStrictEqual } from 'node:util'

/** Whether two values are deeply equal; a missing member equals an undefined one. */
export const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b))

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
