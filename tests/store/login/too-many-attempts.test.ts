import { expect, test } from 'vitest'
import { ours } from '../../helpers/device/answers.ts'
import { createClock, type Phone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { network, newPhone } = serverOfFile()

const calls: Record<string, (phone: Phone) => Promise<unknown>> = {
  login: ({ session }) => session.login('ama@example.com', 'wrong wrong wrong'),
  'sign-up': ({ session }) =>
    session.signup({
      name: 'Ama',
      email: 'ama@example.com',
      password: 'correct horse battery',
      phone_number: '0240000000',
      role: 'sender',
    }),
  'reset request': ({ session }) => session.requestReset('0240000000'),
  reset: ({ session }) => session.resetPassword('0240000000', '123456', 'correct horse battery'),
  code: ({ session }) => session.confirmPhone('0240000000', '123456'),
  'guest recovery': ({ session }) => session.recoverGuest('0240000000'),
  'guest code': ({ session }) => session.confirmGuestRecovery('0240000000', '123456'),
  resend: ({ session }) => session.resendCode('0240000000'),
}

const noon = new Date(2026, 10, 22, 12, 0, 30).getTime()

test.each(Object.keys(calls))('429 on %s says in plain words when to try again', async (name) => {
  const phone = newPhone({ clock: createClock(noon) })
  const answer = (after?: string) => {
    const headers = after === undefined ? {} : { 'retry-after': after }
    network().setConditions(() => ours({ error: 'Slow down' }, 429, headers))
  }
  const said = () =>
    calls[name]?.(phone).then(
      () => 'nothing',
      (error: Error) => error.message,
    )
  answer('600')
  // Never a minute too early.
  expect(await said()).toBe('Too many attempts. Try again at 12:11.')
  answer('43200')
  expect(await said()).toMatch(/^Too many attempts\. Try again at .*23 Nov.* 00:01\.$|23 Nov/)
  answer()
  expect(await said()).toBe('Too many attempts. Try again in a few minutes.')
})
