import { sql } from 'drizzle-orm'
import type { Stores } from '../ports/repo.ts'
import { confirmedPhonesOver } from './accounts/confirmed-phones.ts'
import { applicationsOver } from './accounts/driver-applications.ts'
import { invitationsOver } from './accounts/invitations.ts'
import { sessionsOver } from './accounts/sessions.ts'
import { codesOver } from './accounts/sms-codes.ts'
import { userNotesOver } from './accounts/user-notes.ts'
import { usersOver } from './accounts/users.ts'
import { channel } from './connection/event-bus.ts'
import { payloadsOf } from './connection/event-payloads.ts'
import type { Db } from './db.ts'
import { choicesOver, zonesOver } from './deliveries/choices.ts'
import { deliveriesOver } from './deliveries/deliveries.ts'
import { disputesOver } from './deliveries/disputes.ts'
import { guestTokensOver } from './deliveries/guest-tokens.ts'
import { ledgerOver } from './deliveries/ledger.ts'
import { paymentsOver } from './deliveries/payments.ts'
import { photosOver } from './deliveries/photos.ts'
import { personalDataOver } from './personal/personal-data.ts'
import { once } from './prepared.ts'
import { activitiesOver } from './records/activities.ts'
import { attemptsOver } from './records/attempts.ts'
import { auditOver } from './records/audit.ts'
import { devicesOver } from './records/devices.ts'
import { notificationsOver } from './records/notifications.ts'
import { requestsOver } from './records/requests.ts'
import { countWrongRollups, foldRollups, rebuildRollups } from './records/rollups.ts'
import { settingsOver } from './records/settings.ts'
import { statsOver, trendsOver } from './records/statistics.ts'
import { workOver } from './records/work.ts'
import { items } from './tables.ts'

/** Every store over the pool or over one transaction. */
export function storesOver(db: Db): Stores {
  const notify = once(() =>
    db
      .select({ sent: sql`pg_notify(${channel}, ${sql.placeholder('payload')})` })
      .from(sql`(select 1) one`)
      .prepare(''),
  )
  return {
    users: usersOver(db),
    sessions: sessionsOver(db),
    invitations: invitationsOver(db),
    codes: codesOver(db),
    confirmedPhones: confirmedPhonesOver(db),
    attempts: attemptsOver(db),
    requests: requestsOver(db),
    deliveries: deliveriesOver(db),
    guestTokens: guestTokensOver(db),
    zones: zonesOver(db),
    items: choicesOver(db, items),
    applications: applicationsOver(db),
    userNotes: userNotesOver(db),
    disputes: disputesOver(db),
    activities: activitiesOver(db),
    audit: auditOver(db),
    devices: devicesOver(db),
    photos: photosOver(db),
    ledger: ledgerOver(db),
    payments: paymentsOver(db),
    settings: settingsOver(db),
    personal: personalDataOver(db),
    notifications: notificationsOver(db),
    stats: () => statsOver(db),
    work: (at) => workOver(db, at),
    trends: (days, at) => trendsOver(db, days, at),
    rollups: {
      fold: () => foldRollups(db),
      rebuild: () => rebuildRollups(db),
      countWrong: () => countWrongRollups(db),
    },
    async publish(event) {
      for (const payload of payloadsOf(event)) await db.write(notify().execute({ payload }))
    },
  }
}
