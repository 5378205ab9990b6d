import { afterEach, expect, test, vi } from 'vitest'
import { SomaDb } from '#store/soma-db.ts'
import { drain } from '#store/worker.ts'

afterEach(() => vi.unstubAllGlobals())

test('S35, S39: the worker ends a login with every tab closed, and is woken again until it has', async () => {
  const db = new SomaDb()
  await db.revocations.add({ token: 'over', at: Date.now(), attempts: 0, nextAt: 0 })
  const asked: string[] = []
  let status = 503
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(`${request.method} ${request.url} ${request.headers.get('authorization')}`)
    return Response.json(status === 200 ? { message: 'Logged out' } : { error: 'no' }, { status })
  })
  await expect(drain('http://soma.test/api')).rejects.toThrow()
  expect(await db.revocations.count()).toBe(1)
  status = 200
  await drain('http://soma.test/api')
  expect(await db.revocations.count()).toBe(0)
  expect(asked).toEqual(Array(2).fill('POST http://soma.test/api/logout Bearer over'))
  await db.delete()
})
