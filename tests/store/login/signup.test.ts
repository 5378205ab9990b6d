import { expect, test } from 'vitest'
import { createPhone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network } = serverOfFile()

test('R7: a sign-up whose response was lost goes on with its e-mail and password, and with no other', async () => {
  const phone = createPhone(network())
  await phone.start()
  const phoneNumber = server().newPhone()
  const about = {
    name: 'Akua',
    email: `${phoneNumber}@example.com`,
    password: 'correct horse battery',
    phone_number: phoneNumber,
    role: 'sender',
  } as const
  network().setConditions(() => 'answer lost')
  await expect(phone.session.signup(about)).rejects.toThrow('No connection right now')
  network().setConditions(() => 'fine')

  const guess = { ...about, password: 'somebody else’s guess' }
  await expect(phone.session.signup(guess)).rejects.toThrow('already exists')
  expect(await phone.session.signup(about)).toMatchObject({ Verified: false })
  const user = await phone.session.confirmPhone(phoneNumber, server().codeSentTo(phoneNumber))
  expect(user).toMatchObject({ email: about.email, Verified: true })
  await phone.kill()
})
