import type * as z from 'zod/mini'

/*
 * The product reads both capitalised and lower-camel spellings of most fields (spec §3).
 * Here they become one: the spelling the schema names.
 */

/** Fields with a second name, folded. */
const otherNames: Record<string, string[]> = {
  driver: ['deliverer'],
  sendername: ['guestsendername'],
  senderphone: ['guestsenderphone'],
}

const fold = (key: string) => key.toLowerCase().replaceAll('_', '')

type Shape = Record<string, z.ZodMiniType>
type Def = { type: string; shape?: Shape; element?: z.ZodMiniType; innerType?: z.ZodMiniType }

/**
 * `value` with its keys respelt as `schema` spells them, all the way down. Keys the schema does
 * not know are left out, `null` counts as missing, a numeric ID becomes text.
 */
export function normalizeNames(schema: z.ZodMiniType, value: unknown): unknown {
  const def = schema._zod.def as unknown as Def
  if (def.innerType) return value === null ? undefined : normalizeNames(def.innerType, value)
  if (def.type === 'array' && def.element && Array.isArray(value)) {
    const element = def.element
    return value.map((each) => normalizeNames(element, each))
  }
  if (def.type === 'object' && def.shape && isObject(value)) return respellObject(def.shape, value)
  return value
}

function respellObject(shape: Shape, value: Record<string, unknown>) {
  // Long lists are spelt as the schema says: nothing of them needs a second look.
  const misspelt = Object.keys(value).some((key) => !Object.hasOwn(shape, key))
  const folded = misspelt ? foldedKeys(value) : undefined
  const out: Record<string, unknown> = {}
  for (const key in shape) {
    const schema = shape[key] as z.ZodMiniType
    const found = value[key] ?? (folded && lookUp(folded, fold(key)))
    if (found === undefined || found === null) continue
    out[key] =
      /id$/i.test(key) && typeof found === 'number' ? String(found) : normalizeNames(schema, found)
  }
  return out
}

function foldedKeys(value: Record<string, unknown>) {
  const folded = new Map<string, unknown>()
  for (const [key, each] of Object.entries(value))
    if (each !== null && each !== undefined && !folded.has(fold(key))) folded.set(fold(key), each)
  return folded
}

function lookUp(folded: Map<string, unknown>, key: string) {
  for (const name of [key, ...(otherNames[key] ?? [])])
    if (folded.has(name)) return folded.get(name)
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
