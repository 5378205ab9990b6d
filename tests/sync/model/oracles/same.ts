import { isDeepStrictEqual } from 'node:util'

/** Whether two values say the same; what is missing and what is undefined do. */
export const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b))

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
