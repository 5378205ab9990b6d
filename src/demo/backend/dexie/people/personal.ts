import { deletedName } from '#domain/users/user.ts'
import { withoutNames } from '#server/ports/stores/named-texts.ts'
import type { PersonalData, RowsByTable } from '#server/ports/stores/personal-store.ts'
import type { ServerDb, UserRow } from '../database.ts'

/** Whole tables are read: one visitor's demo is small. */
export function personalDataOver(db: ServerDb): PersonalData {
  const { users, userNotes, applications, sessions, codes, devices, requests, disputes, payments } =
    db
  const { audit, transfers, guestTokens, activities, deliveries } = db

  const inOrder = async (test: (row: Row['delivery'], from: string | undefined) => boolean) => {
    const rows = await deliveries
      .filter(({ delivery, releasedFrom }) => test(delivery, releasedFrom))
      .toArray()
    return rows.map(({ delivery }) => delivery).sort((a, b) => (a.ID < b.ID ? -1 : 1))
  }
  const deliveriesOf = (id: string) =>
    inOrder(
      ({ sender, driver, incidents }, releasedFrom) =>
        sender?.id === id ||
        driver?.id === id ||
        releasedFrom === id ||
        (incidents ?? []).some((incident) => incident.driver === id),
    )

  async function forgetNames(names: readonly string[]) {
    await activities.toCollection().modify((row) => {
      row.Message = withoutNames(row.Message, names)
    })
  }

  return {
    async rowsOf(id) {
      const accounts = ['sender', 'driver', 'owed'].map((each) => `${each}:${id}`)
      return filled({
        users: (await users.where({ ID: id }).toArray()).map(withoutSecrets),
        applications: await applications.where({ userId: id }).toArray(),
        sessions: (await sessions.where({ userId: id }).toArray()).map(withoutHash),
        codes: (await codes.filter(({ userId }) => userId === id).toArray()).map(withoutHash),
        devices: (await devices.filter(({ userId }) => userId === id).toArray()).map(
          ({ userIds: _, ...device }) => device,
        ),
        disputes: await disputes.filter(({ reportedBy }) => reportedBy === id).toArray(),
        payments: (await payments.filter(({ driverId }) => driverId === id).toArray()).map(
          withoutVoucher,
        ),
        audit: (await audit.filter(({ Subject }) => Subject === id).toArray()).map(
          ({ At, Action }) => ({ at: At, action: Action }),
        ),
        entries: (await transfers.where('accounts').anyOf(accounts).toArray())
          .flatMap(({ entries }) => entries)
          .filter(({ account }) => accounts.includes(account)),
      })
    },
    async rowsOfGuest(id) {
      const charged = payments.filter(
        ({ deliveryId, kind }) => deliveryId === id && kind !== 'payout',
      )
      const reported = disputes.filter(
        ({ DeliveryID, type }) => DeliveryID === id && type === 'sender_issue',
      )
      return filled({
        payments: (await charged.toArray()).map(withoutVoucher),
        disputes: await reported.toArray(),
      })
    },
    deliveriesOf,
    lockDeliveriesOf: deliveriesOf,
    lockDeliveriesOfGuest: (phone) =>
      inOrder(({ isGuestDelivery, senderPhone }) => isGuestDelivery && senderPhone === phone),
    async hasOpenPayments(ids, driver) {
      const open = await payments
        .filter(({ kind, status, deliveryId, driverId }) => {
          if (kind === 'payout')
            return driverId === driver && driver !== undefined && status !== 'paid'
          const isOpen = status === 'waiting' || status === 'sent' || status === 'otp'
          return ids.includes(deliveryId) && (isOpen || (kind === 'refund' && status !== 'paid'))
        })
        .count()
      return open > 0
    },
    async erase(id, { name, email }) {
      const before = await users.get(id)
      await sessions.where({ userId: id }).delete()
      await applications.delete(id)
      await userNotes.where({ userId: id }).delete()
      await codes.filter(({ userId }) => userId === id).delete()
      await devices.filter(({ userId }) => userId === id).delete()
      await requests.filter(({ person }) => person === id).delete()
      if (before) await users.put(deletedRow(before))
      await disputes.filter(({ reportedBy }) => reportedBy === id).modify(withoutReporter)
      await payments.filter(({ driverId }) => driverId === id).modify(withoutPayer)
      await forgetNames([email, name])
    },
    async eraseRequests(ids) {
      const isTheirs = (id: string | undefined) => id !== undefined && ids.includes(id)
      await guestTokens.filter(({ deliveryId }) => isTheirs(deliveryId)).delete()
      await codes.filter(({ userId }) => isTheirs(userId)).delete()
      await requests.filter(({ person }) => isTheirs(person)).delete()
      await payments
        .filter(({ deliveryId, kind }) => isTheirs(deliveryId) && kind !== 'payout')
        .modify(withoutPayer)
      await disputes
        .filter(({ DeliveryID, type }) => isTheirs(DeliveryID) && type === 'sender_issue')
        .modify(withoutReporter)
    },
    async unnamedPhotos(urls) {
      const named = new Set<string | undefined>()
      await deliveries.each(({ delivery: { itemPhoto, proofOfDelivery, incidents = [] } }) => {
        for (const url of [itemPhoto, proofOfDelivery, ...incidents.map(({ photo }) => photo)])
          named.add(url)
      })
      await users.each(({ photo }) => void named.add(photo))
      await applications.each(({ idPhoto }) => void named.add(idPhoto))
      return urls.filter((url) => !named.has(url))
    },
  }
}

type Row = { delivery: Awaited<ReturnType<PersonalData['deliveriesOf']>>[number] }

const filled = (tables: RowsByTable): RowsByTable =>
  Object.fromEntries(Object.entries(tables).filter(([, rows]) => rows.length > 0))

const withoutSecrets = ({ passwordHash: _, emailKey: __, ...row }: UserRow) => row
const withoutHash = <T extends { hash: string }>({ hash: _, ...row }: T) => row
const withoutVoucher = <T extends { otp?: string }>({ otp: _, ...row }: T) => row

function withoutReporter(row: { reporterName?: string }) {
  if (row.reporterName) row.reporterName = deletedName
}

function withoutPayer(row: Partial<Record<'phone' | 'network' | 'message' | 'otp', string>>) {
  for (const name of ['phone', 'network', 'message', 'otp'] as const) delete row[name]
}

/** Only what must stay, so that nothing that is added to an account later is forgotten. */
const deletedRow = ({ ID, createdAt }: UserRow): UserRow => ({
  ID,
  createdAt,
  name: deletedName,
  email: '',
  emailKey: `deleted ${ID}`,
  phone_number: '',
  role: 'user',
  Verified: false,
  passwordHash: '',
})
