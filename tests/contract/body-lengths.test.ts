import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { requestSchemaOf } from '#contract/queries.ts'

/** What the tests read of a schema. */
type Def = {
  type: string
  shape?: Record<string, z.ZodMiniType>
  innerType?: z.ZodMiniType
  element?: z.ZodMiniType
  keyType?: z.ZodMiniType
  valueType?: z.ZodMiniType
  options?: z.ZodMiniType[]
  in?: z.ZodMiniType
  out?: z.ZodMiniType
  checks?: { _zod: { def: { check: string } } }[]
}
const defOf = (schema: z.ZodMiniType) => schema._zod.def as Def

/** Characters of texts that only an admin writes, once for everybody (R204). */
const most: Record<string, number> = {
  'changeSettings.terms': 10_000,
  'changeSettings.privacy': 10_000,
}

/** Of each text and list in a body: where it is, and whether a large one is refused. */
function* bounds(
  schema: z.ZodMiniType,
  place: string,
): Generator<[place: string, refused: boolean]> {
  const def = defOf(schema)
  if (def.type === 'string' || def.type === 'pipe')
    yield [place, !schema.safeParse('x'.repeat((most[place] ?? 2_000) + 1)).success]
  if (def.type === 'array')
    yield [place, def.checks?.some((each) => each._zod.def.check === 'max_length') ?? false]
  if (def.type === 'pipe') return
  for (const [name, part] of Object.entries(def.shape ?? {}))
    yield* bounds(part, `${place}.${name}`)
  const parts = [def.innerType, def.element, def.keyType, def.valueType, ...(def.options ?? [])]
  for (const part of parts) if (part) yield* bounds(part, place)
}

describe('R20: what a body holds is bounded, so that no row and no event grows by a whole request', () => {
  test.each(Object.keys(endpoints) as Op[])('%s', (op) => {
    const { body } = requestSchemaOf(op)
    const unbounded = body ? [...bounds(body, op)].filter(([, refused]) => !refused) : []
    expect(unbounded).toEqual([])
  })
})
