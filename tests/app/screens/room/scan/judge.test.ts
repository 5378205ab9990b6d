import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { handoverLink, toBase64url } from '#domain/deliveries/handover/handover-link.ts'
import { judge } from '../../../../../src/app/screens/room/scan/judge.ts'

const id = '0192f0c1-7e2a-7b3c-9d4e-5f6071829304'
const otherId = '0192f0c1-7e2a-7b3c-9d4e-5f6071829305'
const bytes = Uint8Array.from({ length: 16 }, (_, at) => at * 13)
const secret = toBase64url(bytes)
const hashOf = (of: Uint8Array) => createHash('sha256').update(of).digest('hex')
const expected = { id, handoverHash: hashOf(bytes) }
const link = (
  over: Partial<Parameters<typeof handoverLink>[1]> = {},
  origin = 'https://soma.test',
) => handoverLink(origin, { id, secret, code: '12345', ...over })
const right = { is: 'right', secret }

describe('R110: the code of this delivery is right', () => {
  test.each([
    ['with its digits', link()],
    ['without digits', link({ code: undefined })],
    ['over http', link({}, 'http://soma.test')],
    ['of another origin', link({}, 'http://192.168.1.4:8080')],
    ['with its ID in capitals', link({ id: id.toUpperCase() })],
    ['with spaces about it', `  ${link()}\n`],
    ['with its message', `Hello Esi, show this page: ${link()}. Thank you`],
    ['with parameters that an app added before', link().replace('#', '?fbclid=a.b-c&x=1#')],
    ['with parameters that an app added behind', `${link()}?utm_source=x`],
    ['without digits, with parameters', `${link({ code: undefined })}&fbclid=IwAR1`],
    ['with its # encoded', link().replace('#', '%23')],
  ])('%s', async (_, text) => expect(await judge(text, expected)).toEqual(right))

  test('whatever the case of the hash and of the row’s ID', async () => {
    const loud = { id: id.toUpperCase(), handoverHash: expected.handoverHash.toUpperCase() }
    expect(await judge(link(), loud)).toEqual(right)
  })
})

describe('R110: every other code is wrong', () => {
  test('each of the secret’s 128 bits counts', async () => {
    for (let bit = 0; bit < 128; bit++) {
      const altered = bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
      const text = link({ secret: toBase64url(altered) })
      expect(await judge(text, expected)).toEqual({ is: 'wrong', why: 'altered' })
    }
  })

  test.each([
    ['another delivery’s', link({ id: otherId, secret: toBase64url(bytes.map(() => 7)) })],
    ['another delivery’s ID before this secret', link({ id: otherId })],
  ])('%s', async (_, text) =>
    expect(await judge(text, expected)).toEqual({ is: 'wrong', why: 'another delivery' }),
  )

  test.each([
    ['in capitals', link().toUpperCase()],
    ['a secret of 15 bytes', link({ secret: toBase64url(bytes.slice(1)) })],
    ['a secret of 17 bytes', link({ secret: toBase64url(new Uint8Array(17)) })],
    ['four digits', `${link({ code: undefined })}.1234`],
    ['no secret', `https://soma.test/h/${id}`],
    ['a secret with spaces in it', link({ secret: `${secret.slice(0, 11)} ${secret.slice(11)}` })],
  ])('%s', async (_, text) =>
    expect(await judge(text, expected)).toEqual({ is: 'wrong', why: 'altered' }),
  )

  test.each(['', 'hello', 'https://example.com/', 'WIFI:S:home;P:secret;;', secret, '12345'])(
    'not Soma: %j',
    async (text) => expect(await judge(text, expected)).toEqual({ is: 'wrong', why: 'not Soma' }),
  )

  test('where the row’s hash is not a hash', async () =>
    expect(await judge(link(), { id, handoverHash: '' })).toMatchObject({ is: 'wrong' }))
})
