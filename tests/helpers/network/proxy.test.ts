import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type NetworkProxy, startProxy } from './proxy.ts'

let proxy: NetworkProxy
let served: string[]
let received: number
let hangUp: () => void
let close: () => Promise<void>

beforeEach(async () => {
  served = []
  received = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    request.on('end', () => {
      served.push(`${request.method} ${request.url}`)
      response.end('x'.repeat(request.url === '/big' ? 200_000 : 2))
    })
    request.on('error', () => undefined)
  })
  hangUp = () => server.closeIdleConnections()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy = await startProxy((server.address() as AddressInfo).port)
  close = async () => {
    await proxy.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
afterEach(() => close())

const get = async (path = '/') => (await fetch(`${proxy.origin}${path}`)).text()

test('Under fine everything is forwarded and each request is recorded', async () => {
  expect(await get('/a')).toBe('xx')
  expect((await get('/big')).length).toBe(200_000)
  expect(proxy.requests).toEqual(['GET /a HTTP/1.1', 'GET /big HTTP/1.1'])
})

test('A request sent after the server closed its connection never arrives and is not recorded', async () => {
  const phone = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true })
  const answered = new Promise((resolve) => phone.once('data', resolve))
  const hungUp = new Promise((resolve) => phone.once('end', resolve))
  phone.on('error', () => undefined)
  phone.write('GET /last HTTP/1.1\r\nhost: soma\r\n\r\n')
  await answered
  hangUp()
  await hungUp
  phone.write('GET /late HTTP/1.1\r\nhost: soma\r\n\r\n')
  await get('/next')
  phone.destroy()
  expect(served).toEqual(['GET /last', 'GET /next'])
  expect(proxy.requests).toEqual(['GET /last HTTP/1.1', 'GET /next HTTP/1.1'])
})

test('Under cut open connections break and new ones are refused, until it is fine again', async () => {
  await get()
  proxy.set({ kind: 'cut' })
  await expect(get()).rejects.toThrow()
  await expect(get()).rejects.toThrow()
  expect(served).toEqual(['GET /'])
  proxy.set({ kind: 'fine' })
  expect(await get()).toBe('xx')
})

test('Under silent everything is held, and forwarded once it is fine again', async () => {
  proxy.set({ kind: 'silent' })
  await expect(fetch(proxy.origin, { signal: AbortSignal.timeout(200) })).rejects.toThrow()
  const waiting = get('/late')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(served).toEqual([])
  proxy.set({ kind: 'fine' })
  expect(await waiting).toBe('xx')
})

test('Under slow chunks are delayed and bandwidth is limited', async () => {
  proxy.set({ kind: 'slow', delay: 60 })
  const start = performance.now()
  await get()
  expect(performance.now() - start).toBeGreaterThan(110)

  proxy.set({ kind: 'slow', bytesPerSecond: 400_000 })
  const second = performance.now()
  await get('/big')
  expect(performance.now() - second).toBeGreaterThan(400)
})

test('Under breaks up part of an upload arrives, and no response', async () => {
  proxy.set({ kind: 'breaks', direction: 'up', bytes: 100_000 })
  const body = 'p'.repeat(1_000_000)
  await expect(fetch(`${proxy.origin}/photo`, { method: 'POST', body })).rejects.toThrow()
  expect(served).toEqual([])
  expect(received).toBeLessThan(200_000)
})

test('Under breaks down part of a response arrives', async () => {
  proxy.set({ kind: 'breaks', direction: 'down', bytes: 100_000 })
  await expect(get('/big')).rejects.toThrow()
  expect(served).toEqual(['GET /big'])
})

test('Under answer lost the selected request is handled and its response lost; other requests pass', async () => {
  let losses = 0
  proxy.set({
    kind: 'answer lost',
    losing: (line) => line.startsWith('POST /create') && losses++ === 0,
  })
  const create = () => fetch(`${proxy.origin}/create`, { method: 'POST', body: '{}' })
  expect(await get('/zones')).toBe('xx')
  await expect(create()).rejects.toThrow()
  expect(served).toEqual(['GET /zones', 'POST /create'])
  expect((await create()).status).toBe(200)
  expect(served).toEqual(['GET /zones', 'POST /create', 'POST /create'])
})
