import { expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { actionText } from '../../../../src/app/screens/admin/audit/action-text.ts'

const changes = Object.entries(endpoints).filter(
  ([, { access, method }]) => access === 'admin' && method !== 'GET',
)

test.each(changes.map(([op]) => op))('the audit log has words for %s', (op) => {
  expect(actionText(op)).toMatch(/^[A-Z][a-z]+ /)
})

test.each(['login', 'viewIdPhoto', 'resetPassword'])('and for %s', (name) => {
  expect(actionText(name)).not.toBe(name)
})

test('what this release does not know is shown as the server has it', () => {
  expect(actionText('launchRocket')).toBe('launchRocket')
  expect(actionText('constructor')).toBe('constructor')
})
