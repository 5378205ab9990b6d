import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchLines, operation, readLines, sendBatch } from '../../../helpers/server/batch.ts'
import { present, startTestServer } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

/* Batches over connections that break or stand still, and beside others. */

const server = await serverFixture()

const guestCreate = () =>
  operation('POST', '/guest/deliveries', {
    body: server.guestRequest(),
  })
const batchOf = (count: number) => Array.from({ length: count }, guestCreate)

/** How many of these rows exist. */
async function stored(keys: string[]): Promise<number> {
  const count = 'select count(*)::int from deliveries where id = any($1)'
  return (await server.pool().query(count, [keys])).rows[0].count
}

/** Waits until no more of these rows are added. */
async function settledCount(keys: string[]): Promise<number> {
  for (let before = -1; ; await pause(300)) {
    const count = await stored(keys)
    if (count === before) return count
    before = count
  }
}

test('R89: when the connection breaks nothing new begins, what was answered is done, and the rest follows when it is sent again', async () => {
  const { origin } = await server.listen()
  const operations = batchOf(50)
  const body = JSON.stringify({ operations })
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /api/batch HTTP/1.1\r\nhost: soma\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  let heard = ''
  for await (const chunk of socket) {
    heard += chunk
    if (heard.split('"status":201').length > 3) break
  }
  socket.destroy()
  const keys = operations.map(({ key }) => key)
  const answered = keys.filter((key) => heard.includes(`{"key":"${key}","status":201`))
  expect(answered.length).toBeGreaterThan(1)
  const done = await settledCount(keys)
  expect(await stored(answered)).toBe(answered.length)
  expect(done).toBeLessThan(50)
  const lines = await batchLines(server, operations)
  expect(lines.map(({ status }) => status)).toEqual(Array(50).fill(201))
  expect(await stored(keys)).toBe(50)
})

test('R89: a client that reads nothing keeps nobody waiting and finds all lines later', async () => {
  const operations = batchOf(30)
  const answer = await sendBatch(server, operations)
  const keys = operations.map(({ key }) => key)
  await expect.poll(() => stored(keys)).toBe(30)
  const lines = await readLines(answer)
  expect(lines.map(({ status }) => status)).toEqual(Array(30).fill(201))
})

test('R89: a line arrives before slower operations of the batch are done', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { transaction } = server.repo
  let calls = 0
  server.repo.transaction = async (work) => {
    if (++calls === 2) await held
    return transaction(work)
  }
  const operations = batchOf(3)
  const answer = await sendBatch(server, operations)
  const reader = present(answer.body).getReader()
  const decoder = new TextDecoder()
  let heard = ''
  while (heard.split('\n').length < 3) heard += decoder.decode((await reader.read()).value)
  expect(calls).toBe(3)
  release()
  for (let next = await reader.read(); !next.done; next = await reader.read())
    heard += decoder.decode(next.value)
  server.repo.transaction = transaction
  expect(heard.trim().split('\n')).toHaveLength(3)
})

test('R89: however many batches run, some connections of the database are left for others', async () => {
  const { transaction } = server.repo
  let running = 0
  const most = { ofOne: 0, ofAll: 0 }
  const watch = (which: keyof typeof most) => {
    server.repo.transaction = async (work) => {
      most[which] = Math.max(most[which], ++running)
      try {
        return await transaction(work)
      } finally {
        running--
      }
    }
  }
  watch('ofOne')
  await batchLines(server, batchOf(12))
  watch('ofAll')
  await Promise.all([1, 2, 3, 4].map(() => batchLines(server, batchOf(8))))
  server.repo.transaction = transaction
  expect(most.ofOne).toBeGreaterThan(1)
  expect(most.ofOne).toBeLessThanOrEqual(6)
  expect(most.ofAll).toBeLessThanOrEqual(8)
})

test('R88: a batch that goes to two server processes at once has one effect', async () => {
  const second = await startTestServer(server.database)
  const operations = batchOf(8)
  const [one, two] = await Promise.all([
    batchLines(server, operations),
    batchLines(second, operations),
  ])
  expect(two).toEqual(one)
  expect(one?.map(({ status }) => status)).toEqual(Array(8).fill(201))
  await second.close()
})

test('R89: a server that closes finishes the batches that run: a long one, though a short one beside it has ended', async () => {
  const closing = await startTestServer(server.database)
  const operations = batchOf(40)
  await sendBatch(closing, operations)
  await readLines(await sendBatch(closing, batchOf(1)))
  await closing.close()
  expect(await stored(operations.map(({ key }) => key))).toBe(40)
})
