import type { NotificationKind } from '#domain/notifications/kinds.ts'
import type { NotificationState } from '#store/queries/account/notification-state.ts'

/** What each kind is called in the settings. */
export const kindTexts: Record<NotificationKind, string> = {
  accepted: 'A driver accepts',
  'picked-up': 'Your item is picked up',
  delivered: 'Your item is delivered',
  'approval-due': 'Reminder to approve',
  attempt: 'A hand-over failed',
  'wrong-code': 'Wrong codes are tried',
  returning: 'An item is brought back',
  released: 'A driver gives your job back',
  approved: 'A delivery is approved',
  cancelled: 'A delivery is cancelled',
  dispute: 'Support answers a report',
  application: 'Your driver application',
  'new-job': 'New jobs on your commutes',
  'office-dispute': 'A new dispute',
  'office-application': 'A driver applies',
  'office-money': 'A payout or refund fails',
  'office-server': 'A server is not ready, and when it is again',
}

/** Why this browser cannot be asked, and what to do about it. */
export const unsupportedTexts = {
  install:
    'Add the app to your Home Screen first: tap Share, then “Add to Home Screen”. Notifications can be turned on there.',
  none: 'This browser has no notifications. Try Chrome on Android.',
  blocked:
    'Notifications are blocked for this site. Allow them in your browser’s site settings, then open this page again.',
}

type DeviceState = Pick<NotificationState, 'isReported' | 'problem'> | undefined

/** What is true of a device on which notifications were turned on (S61); `works` where nothing is in the way. */
export function deviceText(state: DeviceState, works: string): string {
  if (state?.problem === 'refused')
    return 'Notifications can’t be sent to this browser. Try Chrome on Android.'
  if (state?.problem === 'browser')
    return 'This browser can’t reach its notification service. We’ll keep trying while the app is open.'
  if (!state?.isReported) return 'Not confirmed yet. They start when you’re online.'
  return works
}

/** `21:00`. */
export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
