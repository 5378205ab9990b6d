import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DemoServer, openDemoServer } from '#demo/backend/server.ts'
import { serverOrigin } from '#demo/backend/server-origin.ts'
import { demoPassword, personas } from '#demo/simulation/personas.ts'
import { photo } from '../../e2e/helpers/photo.ts'

const home = 'https://host.test/some/where/'
const withBuildLock = (work: () => Promise<void>) => work()
let storagePrefix: string
let server: DemoServer
beforeAll(async () => {
  storagePrefix = `demo ${v7()}:`
  server = await openDemoServer({ storagePrefix, home, withBuildLock })
})
afterAll(() => server.close())

type Answer = { status: number; body: Record<string, unknown> }

async function ask(method: string, path: string, body?: object, token?: string): Promise<Answer> {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (token) headers.set('authorization', `Bearer ${token}`)
  const request = { method, headers, body: body && JSON.stringify(body) }
  const response = await server.fetch(new Request(`${serverOrigin}/api${path}`, request))
  return { status: response.status, body: await response.json() }
}

async function login(email: string, password: string = demoPassword) {
  return ask('POST', '/login', { email, password })
}

const parcel = {
  itemDescription: 'Kente',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 60,
  recipientName: 'Esi',
  recipientPhone: '0550000001',
}

async function uploaded(): Promise<string> {
  const { buffer, mimeType, name } = photo(5, 16)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name)
  form.set('upload_preset', 'soma')
  const url = `${serverOrigin}/api/images/upload`
  const response = await server.fetch(new Request(url, { method: 'POST', body: form }))
  return (await response.json()).secure_url
}

describe('The server in the page', () => {
  test('every persona with an account can log in by the real call', async () => {
    for (const character of Object.values(personas)) {
      if (!('email' in character)) continue
      const { status, body } = await login(character.email)
      expect(status).toBe(200)
      expect(body.user).toMatchObject({ ID: character.id, name: character.name })
    }
  })

  test('refuses a wrong password, a taken e-mail (R7) and a second active delivery (R30)', async () => {
    const { sender } = personas
    expect(await login(sender.email, 'not this one')).toEqual({
      status: 401,
      body: { error: 'Invalid email or password.', reason: 'wrong-login' },
    })
    const sameEmail = {
      name: 'Twin',
      email: sender.email.toUpperCase(),
      phone_number: '0207770001',
    }
    const signup = { ...sameEmail, password: 'a long enough password', role: 'sender' }
    expect((await ask('POST', '/signup', signup)).body.error).toBe(
      'User with this email already exists.',
    )
    const token = String((await login(sender.email)).body.token)
    const request = {
      ...parcel,
      itemPhoto: await uploaded(),
    }
    expect((await ask('POST', '/sender/deliveries', request, token)).status).toBe(201)
    expect(await ask('POST', '/sender/deliveries', request, token)).toEqual({
      status: 409,
      body: { error: 'You already have an active delivery.', reason: 'active-delivery' },
    })
  })

  test('stores photos under the demo’s image host and refuses one of another host (R22)', async () => {
    const url = await uploaded()
    expect(url).toMatch(
      /^https:\/\/host\.test\/some\/where\/photos\/api\/images\/[0-9a-f]{64}\.png$/,
    )
    expect(await server.demoDb.photos.get(url.split('/').at(-1) ?? '')).toBeDefined()
    const token = String((await login(personas.sender.email)).body.token)
    const elsewhere = {
      ...parcel,
      itemPhoto: url.replace('/photos/', '/other/'),
    }
    const { status, body } = await ask('POST', '/sender/deliveries', elsewhere, token)
    expect([status, body.reason]).toEqual([400, 'photo-not-hosted'])
  })

  test('shows an admin the ID photo of every driver (R55)', async () => {
    const token = String((await login(personas.admin.email)).body.token)
    const { body } = await ask('GET', '/admin/drivers', undefined, token)
    const drivers = body.drivers as { IDPhoto: string }[]
    expect(drivers.length).toBeGreaterThan(5)
    for (const { IDPhoto } of drivers) {
      const path = IDPhoto.slice(IDPhoto.indexOf('/api/'))
      const headers = { authorization: `Bearer ${token}` }
      const answer = await server.fetch(new Request(serverOrigin + path, { headers }))
      expect(answer.status, IDPhoto).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^image\//)
    }
  })

  test('a code from the inbox resets a persona’s password, which can be restored', async () => {
    const { driver } = personas
    await ask('POST', '/password/request-reset', { phone_number: driver.phone })
    await expect.poll(() => server.demoDb.texts.count()).toBe(1)
    const sent = await server.demoDb.texts.toCollection().first()
    expect(sent?.to).toBe(driver.phone)
    const [code] = /\d{6}/.exec(sent?.text ?? '') ?? []
    const reset = { phone_number: driver.phone, code, new_password: 'another password' }
    expect((await ask('POST', '/password/reset', reset)).status).toBe(200)
    expect((await login(driver.email)).status).toBe(401)
    await server.restorePassword(driver.id)
    expect((await login(driver.email)).status).toBe(200)
  })

  test('a second tab opens the city that the first one built', async () => {
    const other = await openDemoServer({ storagePrefix, home, withBuildLock })
    const people = async ({ ports }: DemoServer) =>
      ports.repo.read(({ users }) => users.list({ limit: 100 }))
    expect((await people(other)).total).toBe((await people(server)).total)
    await other.close()
  })
})
