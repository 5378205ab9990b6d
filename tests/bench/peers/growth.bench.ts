import { test } from '@playwright/test'
import { called, inFreshProfile, open, peersServer, type Run, runs } from './bench.ts'
import { compare } from './table.ts'

const server = peersServer()
const sizes = [1_000, 5_000, 20_000]
const kinds = { pullOne: 'one changed row pulled', enqueueOne: 'one mutation enqueued' }
type Kind = keyof typeof kinds

test('What one more change costs at 1,000, 5,000 and 20,000 rows held', async () => {
  const found = sizes.map(() => ({ pullOne: [] as Run[], enqueueOne: [] as Run[] }))
  for (let run = 0; run < runs; run++)
    for (const [index, size] of sizes.entries()) {
      const { pullOne, enqueueOne } = await onPhoneHolding(size)
      found[index]?.pullOne.push({ ms: pullOne })
      found[index]?.enqueueOne.push({ ms: enqueueOne })
    }
  const [small, ...larger] = found
  for (const kind of Object.keys(kinds) as Kind[])
    for (const [index, large] of larger.entries()) {
      const held = sizes[index + 1]?.toLocaleString('en')
      const work = `${kinds[kind]}, ${held} held`
      const against = 'ours, 1,000 held'
      compare({ work, against, target: 1.3 }, large[kind], small?.[kind] ?? [])
    }
})

const onPhoneHolding = (size: number): Promise<Record<Kind, number>> => {
  server().reset({})
  return inFreshProfile(async (context) => {
    const page = await open(context, server().origin, { name: 'ours' })
    await called(page, 'hold', size)
    const pullOne = await called(page, 'pullOne')
    return { pullOne, enqueueOne: await called(page, 'enqueueOne') }
  })
}
