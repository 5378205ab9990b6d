import { expect, test } from 'vitest'
import { serverFixture } from '../../server-fixture.ts'

const server = await serverFixture()
const ama = await server.sender({ name: 'Ama Serwaa Owusu', email: 'ama.serwaa@example.com' })

const sentence = 'This password is too easy to guess. Please choose another one.'

const common = ['password', 'PassWord1', '12345678', 'qwertyuiop', 'iloveyou', 'ghana1234']

function signUp(password: string, over: object = {}) {
  const phone_number = server.newPhone()
  const email = `p${phone_number}@example.com`
  const body = { name: 'Kofi Mensah', email, password, phone_number, role: 'sender', ...over }
  return server.raw('POST', '/signup', { body })
}

const said = async (answer: Response) => [answer.status, await answer.json()]

test.each([
  ...common,
  'kofi mensah',
  'KofiMensah',
  'Someone.Else@Example.com',
  'someone.else',
  '0551234567',
  '+233551234567',
])('R11: a sign-up with %s is refused', async (password) => {
  const over = { email: 'someone.else@example.com', phone_number: '0551234567' }
  expect(await said(await signUp(password, over))).toEqual([
    400,
    { error: sentence, reason: 'invalid' },
  ])
})

test('R11: an uncommon password is accepted', async () => {
  for (const password of ['correct horse', 'kofi mensah 7', 'Nyame ye ohene', 'password of mine'])
    expect((await signUp(password)).status).toBe(201)
})

test('R11: a reset to a common password is refused and does not use up the code', async () => {
  const { phone: phone_number } = ama
  await server.ask('requestReset', { body: { phone_number } })
  const code = server.codeSentTo(phone_number)
  const reset = async (new_password: string) =>
    said(
      await server.raw('POST', '/password/reset', { body: { phone_number, code, new_password } }),
    )
  for (const password of [...common, 'AmaSerwaaOwusu', 'ama.serwaa', ama.phone])
    expect(await reset(password)).toEqual([400, { error: sentence, reason: 'invalid' }])
  expect((await reset('a good one at last'))[0]).toBe(200)
})
