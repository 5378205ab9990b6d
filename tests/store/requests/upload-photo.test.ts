import { afterEach, beforeEach, expect, test } from 'vitest'
import { uploads } from '#store/queries/outbox/outbox.ts'
import { uploadPhoto } from '#store/requests/upload-photo.ts'
import { SomaDb } from '#store/soma-db.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { createTrafficMeter } from '#sync/platform/traffic-meter.ts'
import type { Upload } from '#sync/platform/upload-xhr.ts'
import { jpeg } from '../../helpers/device/device.ts'

type Context = SyncContext<SomaDb>

let db: SomaDb
beforeEach(async () => {
  db = new SomaDb(`upload-${Math.random()}`)
  const imageUploadUrl = 'http://images.test/upload'
  await db.meta.put({
    key: 'config',
    value: { imageUploadUrl, imageUploadPreset: 'p', imageHost: 'http://images.test' },
  })
})
afterEach(() => db.delete())

const stored = { secure_url: 'http://images.test/1.jpg' }

/** A page whose uploads go as `upload` says, on a clock that is moved by hand. */
function pageWith(upload: Upload) {
  let now = 1_000
  let timers: { at: number; work: () => void }[] = []
  const clock = {
    now: () => now,
    monotonic: () => now,
    setTimeout: (work: () => void, delay: number) => {
      const timer = { at: now + delay, work }
      timers.push(timer)
      return timer
    },
    clearTimeout: (timer: unknown) => {
      timers = timers.filter((each) => each !== timer)
    },
  }
  const pass = (ms: number) => {
    now += ms
    for (const { at, work } of [...timers]) if (at <= now) work()
  }
  const traffic = createTrafficMeter()
  const context = { db, clock, traffic, upload } as Partial<Context> as Context
  return { context, pass, traffic }
}

test('S27: how far a photo is can be seen while it goes up, and is forgotten afterwards', async () => {
  const seen: unknown[] = []
  const { context, pass, traffic } = pageWith(async (_url, _form, _signal, sent) => {
    for (const share of [0.1, 0.5, 0.9]) {
      pass(1_000)
      sent(share)
      await expect.poll(() => uploads(db)).toEqual({ p1: share })
      seen.push(share)
    }
    return new Response(JSON.stringify(stored))
  })
  expect(await uploadPhoto(context, jpeg, 'image/jpeg', { photo: 'p1' })).toBe(stored.secure_url)
  expect(seen).toEqual([0.1, 0.5, 0.9])
  expect(await uploads(db)).toEqual({})
  expect(traffic.take().up).toBeGreaterThan(jpeg.byteLength)
  expect(traffic.movedAt).toBe(context.clock.monotonic())
})

test('S27: a slow upload is let go on as long as it moves, a stalled one begins anew later', async () => {
  let tries = 0
  const { context, pass } = pageWith(
    (_url, _form, signal, sent) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new TypeError('Failed to send')))
        for (let minute = 1; minute <= 20; minute++) {
          pass(50_000)
          sent(minute / 20)
        }
        if (++tries > 1) return resolve(new Response(JSON.stringify(stored)))
        pass(61_000)
      }),
  )
  await expect(uploadPhoto(context, jpeg, 'image/jpeg', { photo: 'p1' })).rejects.toMatchObject({
    name: 'Unreachable',
    status: undefined,
  })
  expect(await uploads(db)).toEqual({})
  expect(await uploadPhoto(context, jpeg, 'image/jpeg', { photo: 'p1' })).toBe(stored.secure_url)
})

test('S12: a provider that is not there, or speaks for somebody else, has not answered', async () => {
  const answers: [Response, number | undefined][] = [
    [new Response('<html>Welcome</html>'), undefined],
    [new Response('<html>Pay first</html>', { status: 403 }), undefined],
    [new Response('<html>Bad gateway</html>', { status: 502 }), 502],
    [new Response(JSON.stringify({ hello: 'world' })), undefined],
  ]
  for (const [answer, status] of answers) {
    const { context } = pageWith(async () => answer)
    await expect(uploadPhoto(context, jpeg, 'image/jpeg')).rejects.toMatchObject({
      name: 'Unreachable',
      status,
    })
  }
})
