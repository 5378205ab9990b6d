import { beforeEach, describe, expect, test } from 'vitest'
import type { Phone } from '../../helpers/device/phone.ts'
import { imageHost } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, phoneOf } = serverOfFile()

let office: Phone
beforeEach(async () => {
  office = await phoneOf(server().admin)
})

const photo = `${imageHost}/api/images/id/${'ab'.repeat(32)}.jpg`
const image = () =>
  new Response('the photo', {
    headers: { 'content-type': 'image/jpeg', 'cache-control': 'private, no-store' },
  })

/** Stands in for the store of private photos. */
function photosAnswer(answer: () => Response) {
  const asked: Request[] = []
  network().setConditions((request) => {
    if (!request.url.includes('/images/')) return 'fine'
    asked.push(request)
    return answer()
  })
  return asked
}

/** Everything the phone keeps, as text. */
const kept = async () =>
  JSON.stringify(await Promise.all(office.db.tables.map((table) => table.toArray())))

describe('An ID photo that an admin looks at', () => {
  test('is asked for from our API with the token, and kept nowhere', async () => {
    const asked = photosAnswer(image)
    const before = await kept()
    expect(await (await office.privatePhoto(photo))?.text()).toBe('the photo')
    const token = (await office.db.sessions.get('current'))?.token
    expect(asked.map(({ url, cache }) => [url, cache])).toEqual([
      [`http://soma.test/api/images/id/${'ab'.repeat(32)}.jpg`, 'no-store'],
    ])
    expect(asked[0]?.headers.get('authorization')).toBe(`Bearer ${token}`)
    expect(await kept()).toBe(before)
  })

  const others = [
    'https://images.example/id.jpg',
    `${imageHost}.example/api/images/id.jpg`,
    'https://images.example/api/images/id.jpg',
    `${imageHost}/api/images/../admin/users.jpg`,
    `${imageHost}/api/images/a.jpg?x=/../..`,
    `${imageHost}/elsewhere/id.jpg`,
    '//soma.test/api/images/id.jpg',
    'javascript:alert(1)',
  ]
  test('is none of ours at any other address: the token goes nowhere', async () => {
    const asked = photosAnswer(image)
    for (const url of others)
      expect([url, await office.privatePhoto(url)]).toEqual([url, undefined])
    expect(asked).toEqual([])
  })

  const failures: [string, () => Response, string][] = [
    ['no photo', () => Response.json({ error: 'no' }, { status: 404 }), 'Refused'],
    ['a failing server', () => Response.json({ error: 'no' }, { status: 500 }), 'Unreachable'],
    [
      'a page of a portal',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      'Unreachable',
    ],
  ]
  test('fails with no photo, a failing server, a page of a portal, and without a network', async () => {
    for (const [way, answer, name] of failures) {
      photosAnswer(answer)
      await expect(office.privatePhoto(photo), way).rejects.toMatchObject({ name })
    }
    network().cut()
    await expect(office.privatePhoto(photo)).rejects.toMatchObject({ name: 'Unreachable' })
  })
})

describe('The ID photo of a sign-up', () => {
  /** `isServed`: the backend answers with this configuration too. */
  const presetOf = async (config?: object, isServed = false) => {
    if (config) await office.db.meta.put({ key: 'config', value: config })
    const presets: unknown[] = []
    network().setConditions((request) => {
      if (isServed && request.url.endsWith('/config')) return Response.json(config)
      if (!request.url.endsWith('/images/upload')) return 'fine'
      void request
        .clone()
        .formData()
        .then((form) => presets.push(form.get('upload_preset')))
      return Response.json({ secure_url: photo })
    })
    await office.session.uploadNow(new ArrayBuffer(4), 'image/jpeg')
    await expect.poll(() => presets.length).toBe(1)
    return presets[0]
  }
  const address = { imageUploadUrl: 'http://soma.test/api/images/upload', imageHost }

  test('goes up with the private preset', async () => {
    expect(await presetOf(undefined)).toBe('soma-id')
  })

  test('also where an earlier release kept a configuration without one', async () => {
    expect(await presetOf({ ...address, imageUploadPreset: 'soma' })).toBe('soma-id')
  })

  test('and with the public one where the backend names no other', async () => {
    expect(await presetOf({ ...address, imageUploadPreset: 'public' }, true)).toBe('public')
  })
})
