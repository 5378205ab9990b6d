import type * as z from 'zod/mini'

/*
 * Responses may spell field names with a capital or a small first letter (R87).
 * This brings them to the spelling of the schema.
 */

/** Fields that have a second name; all in lower case without underscores. */
const otherNames: Record<string, string[]> = {
  driver: ['deliverer'],
  sendername: ['guestsendername'],
  senderphone: ['guestsenderphone'],
}

const fold = (key: string) => key.toLowerCase().replaceAll('_', '')

type Shape = Record<string, z.ZodMiniType>
type Def = { type: string; shape?: Shape; element?: z.ZodMiniType; innerType?: z.ZodMiniType }

/**
 * `value` with its keys spelt as in `schema`, at every depth (R87). Unknown keys are left out, `null`
 * counts as missing, a numeric ID becomes text.
 */
export function normalizeNames(schema: z.ZodMiniType, value: unknown): unknown {
  const def = schema._zod.def as unknown as Def
  if (def.innerType) return value === null ? undefined : normalizeNames(def.innerType, value)
  if (def.type === 'array' && def.element && Array.isArray(value)) {
    const element = def.element
    return value.map((each) => normalizeNames(element, each))
  }
  if (def.type === 'object' && def.shape && isObject(value))
    return normalizeObject(def.shape, value)
  return value
}

function normalizeObject(shape: Shape, value: Record<string, unknown>) {
  // Our own server's rows need no folding, which is slow for long lists.
  const hasOtherKeys = Object.keys(value).some((key) => !Object.hasOwn(shape, key))
  const folded = hasOtherKeys ? byFoldedKey(value) : undefined
  const out: Record<string, unknown> = {}
  for (const key in shape) {
    const schema = shape[key] as z.ZodMiniType
    const found = value[key] ?? (folded && findFolded(folded, fold(key)))
    if (found === undefined || found === null) continue
    out[key] =
      /(^id|_id|Id|ID)$/.test(key) && typeof found === 'number'
        ? String(found)
        : normalizeNames(schema, found)
  }
  return out
}

function byFoldedKey(value: Record<string, unknown>) {
  const folded = new Map<string, unknown>()
  for (const [key, each] of Object.entries(value))
    if (each !== null && each !== undefined && !folded.has(fold(key))) folded.set(fold(key), each)
  return folded
}

function findFolded(folded: Map<string, unknown>, key: string) {
  for (const name of [key, ...(otherNames[key] ?? [])])
    if (folded.has(name)) return folded.get(name)
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
