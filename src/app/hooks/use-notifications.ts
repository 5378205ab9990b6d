import { useSyncExternalStore } from 'react'
import { notificationState } from '#store/queries/account/notification-state.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import {
  askForNotifications,
  notificationSupport,
  onNotificationSupport,
} from '../browser/device/notifications.ts'
import { useLive } from './use-live.ts'
import { useSoma } from './use-soma.ts'

/** Whether this phone gets notifications, and how to change it (R117). */
export function useNotifications() {
  const { commands } = useSoma()
  const state = useLive(notificationState)
  const support = useSyncExternalStore(onNotificationSupport, notificationSupport)
  const choose = (choice: 'on' | 'off' | 'dismissed') =>
    commands
      .chooseNotifications(choice)
      .catch((error: unknown) => note('The choice of notifications was not saved', { error }))
  return {
    state,
    support,
    isOn: support === 'on' && state?.choice === 'on',
    /** Resolves to whether the person allowed it. Call it in a tap. */
    turnOn: async () => {
      const isAllowed = await askForNotifications()
      await choose(isAllowed ? 'on' : 'dismissed')
      return isAllowed
    },
    turnOff: () => choose('off'),
    dismiss: () => choose('dismissed'),
  }
}
