import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openTracing } from '#server/node/tracing/open-tracing.ts'

/* Nothing listens at the address of the receiver. */

const call = { op: 'zones', method: 'GET', route: '/api/zones' }

async function traced() {
  const lines: string[] = []
  const add = (_: object, line: string) => lines.push(line)
  const settings = { endpoint: 'http://127.0.0.1:9', serviceName: 'soma', share: 1 }
  return { lines, ...(await openTracing(settings, { info: add, warn: add, error: add })) }
}

test('it is named in the log once, not with each batch', async () => {
  const tracing = await traced()
  const batch = () => {
    for (let span = 0; span < 600; span++) tracing.begin(call).end({ status: 200 })
  }
  batch()
  await expect.poll(() => tracing.lines).toHaveLength(1)
  batch()
  await tracing.close()
  expect(tracing.lines).toEqual(['Traces are not taken by their receiver and are dropped'])
})

test('50,000 calls while the receiver is away take no more memory than the waiting ones', async () => {
  const tracing = await traced()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = async () => {
    await new Promise((done) => setTimeout(done, 200))
    collect()
    return process.memoryUsage().heapUsed
  }
  const calls = async (count: number) => {
    for (let made = 0; made < count; made++) {
      tracing.begin(call).end({ status: 200 })
      // Lets the exporter run, as real calls do.
      if (made % 1_000 === 0) await new Promise((done) => setImmediate(done))
    }
  }
  await calls(5_000)
  const before = await heap()
  await calls(50_000)
  expect((await heap()) - before).toBeLessThan(10_000_000)
  await tracing.close()
})
