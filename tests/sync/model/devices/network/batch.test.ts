import { expect, test } from 'vitest'
import { createRandom } from '../../scenario/random.ts'
import { base, type ModelServer } from '../../scenario/seed-data.ts'
import { createSimulatedTime } from '../clock.ts'
import type { Fate } from './faults.ts'
import { createNetwork } from './network.ts'

const keys = ['a', 'b', 'c', 'd']
const outcome = (key: string, status = 200) => `${JSON.stringify({ key, status, body: {} })}\n`

/** Sends one batch over a network on which this befalls it, and tells what was seen of it. */
async function sendBatch(fate?: Fate, status = 200) {
  const time = createSimulatedTime(createRandom(1))
  let asked = 0
  const server = {
    age: () => 0,
    spare: () => {},
    crash: () => {},
    answer: async () => {
      asked++
      return new Response(keys.map((key) => outcome(key, status)).join(''), {
        headers: { 'content-type': 'application/x-ndjson' },
      })
    },
  } as unknown as ModelServer
  const network = createNetwork(time, server, false)
  if (fate) network.addFault({ fate, times: 1, only: 'says', path: '/batch' })
  const seen = { left: [] as string[], heard: [] as string[], answered: [] as string[] }
  let over = 0
  const note = (list: string[]) => (trip: { key: string | undefined }) => {
    if (trip.key) list.push(trip.key)
  }
  const client = { name: 'tab', address: 'phone', isDead: () => false, isFrozen: () => false }
  const transport = network.transportOf(
    { ...client, thawed: async () => {} },
    {
      leaves: note(seen.left),
      heard: note(seen.heard),
      answered: note(seen.answered),
      over: () => over++,
      hangs: () => {},
      carried: () => {},
    },
  )
  const operations = keys.map((key) => ({ key, method: 'POST', path: '/x' }))
  const body = JSON.stringify({ operations })
  const reading = transport(new Request(`${base}/batch`, { method: 'POST', body }))
    .then((response) => response.text())
    .catch(() => 'broken off')
  let text: string | undefined
  void reading.then((said) => {
    text = said
  })
  while (text === undefined) await time.pass(1_000)
  return { ...seen, text, asked, over }
}

test('S12: each line of a whole batch is the answer of its key', async () => {
  const { left, heard, answered, text, over } = await sendBatch()
  expect([left, heard, answered]).toEqual([keys, keys, keys])
  expect(text).toBe(keys.map((key) => outcome(key)).join(''))
  expect(over).toBe(keys.length + 1)
})

test.each<Fate>(['cut between lines', 'torn'])(
  'S12: of a batch that is %s the first half is heard and the rest is not',
  async (fate) => {
    const { heard, answered, text } = await sendBatch(fate)
    expect(heard).toEqual(['a', 'b'])
    expect(answered).toEqual(keys)
    expect(text).toBe('broken off')
  },
)

test('S12: a batch whose answer is lost is heard by nobody, though all of it happened', async () => {
  const { heard, answered } = await sendBatch('answer lost')
  expect([heard, answered]).toEqual([[], keys])
})

test('S1: a doubled batch reaches the server twice and is heard once', async () => {
  const { asked, heard } = await sendBatch('doubled')
  expect([asked, heard]).toEqual([2, keys])
})

test('S12: a line with 503 or 424 is no answer of its key', async () => {
  expect((await sendBatch(undefined, 503)).heard).toEqual([])
  expect((await sendBatch(undefined, 424)).heard).toEqual([])
})

test('S12: a gateway’s 404 for a batch is no answer of any key', async () => {
  const { heard, asked } = await sendBatch('gateway 404')
  expect([heard, asked]).toEqual([[], 0])
})
