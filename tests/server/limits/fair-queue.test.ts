import { expect, test } from 'vitest'
import { fairQueue } from '#server/limits/fair-queue.ts'
import { batchLines, operation, readLines, sendBatch } from '../../helpers/server/batch.ts'
import { serverFixture } from '../server-fixture.ts'

const server = await serverFixture()
const nothing = '00000000-0000-4000-8000-000000000000'
const refused = () => operation('DELETE', `/sessions/${nothing}`)

test('R142: callers take turns, whoever came first and however much they have waiting', async () => {
  const inTurn = fairQueue(1)
  const order: string[] = []
  const queue = (caller: string, count: number) =>
    Array.from({ length: count }, () => inTurn(caller, 6, async () => void order.push(caller)))
  await Promise.all([...queue('a', 5), ...queue('b', 3), ...queue('c', 1)])
  expect(order.join('')).toBe('abcababaa')
})

test('R142: a caller who asks now and then goes before those who ask without end', async () => {
  const inTurn = fairQueue(2)
  let done = 0
  const work = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    done++
  }
  const busy = ['a', 'b', 'c', 'd'].flatMap((caller) =>
    Array.from({ length: 50 }, () => inTurn(caller, 1, work)),
  )
  for (let n = 0; n < 10; n++) {
    const before = done
    await inTurn('honest', 1, work)
    expect(done - before).toBeLessThanOrEqual(6)
  }
  await Promise.all(busy)
  expect(done).toBe(4 * 50 + 10)
})

test('R142: too much of one caller that waits is refused at once', async () => {
  const inTurn = fairQueue(1, 3)
  const asked = Array.from({ length: 6 }, () => inTurn('a', 1, async () => 'done'))
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2)
  await expect(inTurn('a', 1, async () => 'done')).resolves.toBe('done')
})

test('R142: at most so much runs at once, in all and of one caller, and a failure frees its place', async () => {
  const inTurn = fairQueue(5)
  const running = new Map<string, number>()
  let all = 0
  const work = (caller: string, most: number) => async () => {
    running.set(caller, (running.get(caller) ?? 0) + 1)
    all++
    expect(running.get(caller)).toBeLessThanOrEqual(most)
    expect(all).toBeLessThanOrEqual(5)
    await new Promise((resolve) => setImmediate(resolve))
    running.set(caller, (running.get(caller) ?? 0) - 1)
    all--
    throw new Error('failed')
  }
  const asked = ['a', 'b', 'c'].flatMap((caller, at) =>
    Array.from({ length: 20 }, () => inTurn(caller, at + 1, work(caller, at + 1))),
  )
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  await expect(inTurn('d', 1, async () => 'done')).resolves.toBe('done')
})

test('R142: a batch of one caller does not hold up another’s, and runs one operation at a time', async () => {
  const [ama, kofi] = [await server.sender(), await server.sender()]
  const { transaction } = server.repo
  let running = 0
  let most = 0
  server.repo.transaction = async (work) => {
    most = Math.max(most, ++running)
    try {
      return await transaction(work)
    } finally {
      running--
    }
  }
  const large = await sendBatch(server, Array.from({ length: 100 }, refused), { token: ama.token })
  const ended = readLines(large).then((lines) => ({ lines, last: false }))
  const small = batchLines(server, [refused()], { token: kofi.token })
  expect(await Promise.race([ended, small.then(() => 'the small one')])).toBe('the small one')
  const { lines } = await ended
  server.repo.transaction = transaction
  expect(lines.map(({ status }) => status)).toEqual(Array(100).fill(404))
  expect(most).toBeLessThanOrEqual(2)
})

test('R142: single calls of one caller hold one connection of the database at a time', async () => {
  const ama = await server.sender()
  const { transaction } = server.repo
  let running = 0
  let most = 0
  server.repo.transaction = async (work) => {
    most = Math.max(most, ++running)
    try {
      return await transaction(work)
    } finally {
      running--
    }
  }
  const asked = Array.from({ length: 30 }, () =>
    server.raw('DELETE', `/sessions/${nothing}`, { token: ama.token, key: crypto.randomUUID() }),
  )
  const answers = await Promise.all(asked)
  server.repo.transaction = transaction
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(404))
  expect(most).toBe(1)
})
