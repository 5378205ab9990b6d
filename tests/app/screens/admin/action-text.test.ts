import { expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { actionText } from '#domain/office/action-text.ts'

const changes = Object.entries(endpoints).filter(
  ([, { access, method }]) => (access === 'admin' || access === 'office') && method !== 'GET',
)

test.each(changes.map(([op]) => op))('R57: the audit log has a text for %s', (op) => {
  expect(actionText(op)).toMatch(/^[A-Z][a-z]+ /)
})

const others = [
  'login',
  'acceptInvitation',
  'viewIdPhoto',
  'resetPassword',
  'closeSession',
  'closeSessions',
]
test.each([...others, 'releasePhone', 'changeProfile'])(
  'R57: the audit log has a text for %s, too',
  (name) => {
    expect(actionText(name)).not.toBe(name)
  },
)

test('an unknown action is shown by its name on the server', () => {
  expect(actionText('launchRocket')).toBe('launchRocket')
  expect(actionText('constructor')).toBe('constructor')
})
