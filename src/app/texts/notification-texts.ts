import type { NotificationKind } from '#domain/notifications/kinds.ts'

/** What each kind is called in the settings. */
export const kindTexts: Record<NotificationKind, string> = {
  accepted: 'A driver accepts',
  'picked-up': 'Your item is picked up',
  delivered: 'Your item is delivered',
  'approval-due': 'Reminder to approve',
  attempt: 'A hand-over failed',
  returning: 'An item is brought back',
  released: 'A driver gives your job back',
  approved: 'A payment is approved',
  cancelled: 'A delivery is cancelled',
  dispute: 'Support answers a report',
  application: 'Your driver application',
  'new-job': 'New jobs on your routes',
}

/** `21:00`. */
export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
