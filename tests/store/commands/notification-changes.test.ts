import { expect, test } from 'vitest'
import { defaultQuiet } from '#domain/notifications/kinds.ts'
import { notificationSettings } from '#store/queries/account/notification-state.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

test('R121: of two changes in the same breath the second begins from the first', async () => {
  const device = createDevice()
  await signIn(device.db, person('yaw', 'driver'))
  const { changeNotifications } = device.commands
  await Promise.all([
    changeNotifications(({ quiet = defaultQuiet }) => ({ quiet: { ...quiet, from: 0 } })),
    changeNotifications(({ quiet = defaultQuiet }) => ({ quiet: { ...quiet, to: 0 } })),
    changeNotifications(({ routes = [] }) => ({ routes: [...routes, { from: 'Osu', to: '*' }] })),
    changeNotifications(({ routes = [] }) => ({ routes: [...routes, { from: '*', to: 'Tema' }] })),
  ])
  expect((await notificationSettings(device.db)).settings).toMatchObject({
    quiet: { from: 0, to: 0 },
    routes: [
      { from: 'Osu', to: '*' },
      { from: '*', to: 'Tema' },
    ],
  })
})
