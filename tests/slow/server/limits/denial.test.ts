import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { photoForm, picture } from '../../../helpers/pictures.ts'
import { type AppServer, admin, startAppServer } from '../../../helpers/server/app-server.ts'
import {
  ask,
  formBytes,
  type HealthMeasurement,
  measureHealthDuring,
  openStalledReader,
  startSlowUpload,
} from '../../../helpers/server/attacks.ts'

/*
 * Cheap attacks on the built server, each while /healthz is polled. The limits asserted leave room for a
 * busy machine; on an idle one the slowest response takes less than 250 ms.
 */

let server: AppServer
beforeAll(async () => {
  const limits = { uploads: 10_000, resetRequests: 10_000, login: 10_000, loginFrom: 10_000 }
  server = await startAppServer({ env: { LIMITS: JSON.stringify(limits), LOG_LEVEL: 'error' } })
})
afterAll(async () => {
  await server.stop()
})

function expectUnharmed({ slowest, failures, peak }: HealthMeasurement) {
  expect(failures).toBe(0)
  expect(slowest).toBeLessThan(2_000)
  expect(peak).toBeLessThan(300)
}

async function upload(from: string, seed: number, size = 64) {
  const file = await picture('jpeg', { width: size, height: size, seed })
  return ask(`${server.origin}/api/images/upload`, {
    ...(await formBytes(photoForm(file, 'soma'))),
    from,
  })
}

const login = () =>
  ask(`${server.origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
    from: '127.0.0.9',
  })

describe('The server keeps responding, within its memory limit, while', () => {
  test('80 connections request a photo and read nothing', async () => {
    const { secure_url } = JSON.parse((await upload('127.0.0.2', 1, 1_600)).text)
    const path = new URL(secure_url).pathname
    const watched = await measureHealthDuring(server, async () => {
      const readers = Array.from({ length: 80 }, () => openStalledReader(server, path))
      await pause(4_000)
      const whole = await ask(`${server.origin}${path}`, { from: '127.0.0.2' })
      for (const reader of readers) reader.destroy()
      expect([whole.status, whole.headers['content-type']]).toEqual([200, 'image/jpeg'])
    })
    expectUnharmed(watched)
  })

  test('four urlencoded forms of 10 MB are sent, each of which is refused', async () => {
    const body = Buffer.from('a=%41&'.repeat(10_000_000 / 6))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = `${server.origin}/api/images/upload`
    const statuses: number[] = []
    const watched = await measureHealthDuring(server, async () => {
      const all = [1, 2, 3, 4].map(() => ask(url, { method: 'POST', headers, body }))
      statuses.push(...(await Promise.all(all)).map(({ status }) => status))
    })
    expect(statuses).toEqual([400, 400, 400, 400])
    expectUnharmed(watched)
  })

  test('R67: every call gets 10 MB of JSON, and responds with 413', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(10_000_000) })
    const headers = { 'content-type': 'application/json' }
    const statuses: number[] = []
    const watched = await measureHealthDuring(server, async () => {
      const paths = ['login', 'signup', 'password/request-reset', 'guest/deliveries']
      const all = paths.map((path) =>
        ask(`${server.origin}/api/${path}`, { method: 'POST', headers, body }),
      )
      statuses.push(...(await Promise.all(all)).map(({ status }) => status))
    })
    expect(statuses).toEqual([413, 413, 413, 413])
    expectUnharmed(watched)
  })

  test('64 slow uploads from one address do not block uploads from others', async () => {
    const watched = await measureHealthDuring(server, async () => {
      const uploads = Array.from({ length: 64 }, () => startSlowUpload(server))
      await pause(1_000)
      const others = await Promise.all([3, 4, 5, 6].map((part) => upload(`127.0.0.${part}`, part)))
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect((await upload('127.0.0.1', 7)).status).toBe(429)
      // The accepted uploads are aborted; then this address is served again.
      const served = async () => (await upload('127.0.0.1', 7)).status
      await expect.poll(served, { interval: 2_000 }).toBe(200)
      for (const each of uploads) each.end()
    })
    expectUnharmed(watched)
  })

  test('R66: photos of many pixels are uploaded', async () => {
    const { default: sharp } = await import('sharp')
    const side = 7_000
    const blank = { width: side, height: side, channels: 3 as const, background: '#888' }
    const plain = await sharp({ create: blank }).png().toBuffer()
    const progressive = await sharp({ create: blank }).jpeg({ progressive: true }).toBuffer()
    const send = async (file: Buffer, from: string) =>
      ask(`${server.origin}/api/images/upload`, {
        ...(await formBytes(photoForm(file, 'soma'))),
        from,
      })
    const statuses: number[] = []
    const watched = await measureHealthDuring(server, async () => {
      const all = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].flatMap((from) => [
        send(plain, from),
        send(progressive, from),
      ])
      statuses.push(...(await Promise.all(all)).map(({ status }) => status))
    })
    // The second format can only be decoded whole, which takes too much memory.
    expect(statuses).toEqual([200, 415, 200, 415, 200, 415])
    expect([watched.failures, watched.slowest < 2_000, watched.peak < 500]).toEqual([0, true, true])
  })

  test('150 passwords are reset at once, and logins are served', async () => {
    const body = JSON.stringify({
      phone_number: '0240000000',
      code: '123456',
      new_password: 'another horse battery',
    })
    const headers = { 'content-type': 'application/json' }
    const url = `${server.origin}/api/password/reset`
    const logins: number[] = []
    const watched = await measureHealthDuring(server, async () => {
      const resets = Array.from({ length: 150 }, () => ask(url, { method: 'POST', headers, body }))
      for (let tries = 0; tries < 5; tries++) {
        logins.push((await login()).status)
        await pause(50)
      }
      await Promise.all(resets)
    })
    expect(logins).toEqual([200, 200, 200, 200, 200])
    expect(watched.failures).toBe(0)
  })
})
