import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type NetworkProxy, startProxy } from './proxy.ts'

let road: NetworkProxy
let served: string[]
let received: number
let hangUp: () => void
let close: () => Promise<void>

beforeEach(async () => {
  served = []
  received = 0
  const server = createServer((request, response) => {
    request.on('data', (piece: Buffer) => {
      received += piece.length
    })
    request.on('end', () => {
      served.push(`${request.method} ${request.url}`)
      response.end('x'.repeat(request.url === '/big' ? 200_000 : 2))
    })
    request.on('error', () => undefined)
  })
  hangUp = () => server.closeIdleConnections()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  road = await startProxy((server.address() as AddressInfo).port)
  close = async () => {
    await road.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
afterEach(() => close())

const get = async (path = '/') => (await fetch(`${road.origin}${path}`)).text()

test('In fine weather everything passes and is noted', async () => {
  expect(await get('/a')).toBe('xx')
  expect((await get('/big')).length).toBe(200_000)
  expect(road.requests).toEqual(['GET /a HTTP/1.1', 'GET /big HTTP/1.1'])
})

test('What is asked after the server has hung up never arrives, and is not noted', async () => {
  const phone = connect({ port: road.port, host: '127.0.0.1', allowHalfOpen: true })
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
  expect(road.requests).toEqual(['GET /last HTTP/1.1', 'GET /next HTTP/1.1'])
})

test('A cut road breaks what is open and refuses what is new, until it is mended', async () => {
  await get()
  road.set({ kind: 'cut' })
  await expect(get()).rejects.toThrow()
  await expect(get()).rejects.toThrow()
  expect(served).toEqual(['GET /'])
  road.set({ kind: 'fine' })
  expect(await get()).toBe('xx')
})

test('A silent road holds everything, and delivers it when the weather clears', async () => {
  road.set({ kind: 'silent' })
  await expect(fetch(road.origin, { signal: AbortSignal.timeout(200) })).rejects.toThrow()
  const waiting = get('/late')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(served).toEqual([])
  road.set({ kind: 'fine' })
  expect(await waiting).toBe('xx')
})

test('A slow road takes its time', async () => {
  road.set({ kind: 'slow', delay: 60 })
  const start = performance.now()
  await get()
  expect(performance.now() - start).toBeGreaterThan(110)

  road.set({ kind: 'slow', bytesPerSecond: 400_000 })
  const second = performance.now()
  await get('/big')
  expect(performance.now() - second).toBeGreaterThan(400)
})

test('A road that breaks lets part of an upload through, and no answer', async () => {
  road.set({ kind: 'breaks', direction: 'up', bytes: 100_000 })
  const body = 'p'.repeat(1_000_000)
  await expect(fetch(`${road.origin}/photo`, { method: 'POST', body })).rejects.toThrow()
  expect(served).toEqual([])
  expect(received).toBeLessThan(200_000)
})

test('A road that breaks on the way down delivers part of an answer', async () => {
  road.set({ kind: 'breaks', direction: 'down', bytes: 100_000 })
  await expect(get('/big')).rejects.toThrow()
  expect(served).toEqual(['GET /big'])
})

test('A deaf road has the request carried out and loses its answer, of the requests it names alone', async () => {
  let losses = 0
  road.set({ kind: 'deaf', losing: (line) => line.startsWith('POST /create') && losses++ === 0 })
  const create = () => fetch(`${road.origin}/create`, { method: 'POST', body: '{}' })
  expect(await get('/zones')).toBe('xx')
  await expect(create()).rejects.toThrow()
  expect(served).toEqual(['GET /zones', 'POST /create'])
  expect((await create()).status).toBe(200)
  expect(served).toEqual(['GET /zones', 'POST /create', 'POST /create'])
})
