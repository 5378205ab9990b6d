import type { Action, OperationName } from '#operations/index.ts'
import type { Entry } from '#store/entries/operations.ts'
import { commutesPath, paths, roomPath } from '../../../paths.ts'

type AboutDelivery =
  | Action
  | 'uploadPhoto'
  | 'createDelivery'
  | 'createGuestDelivery'
  | 'reportIssue'
  | 'reportFor'
  | 'sendCode'

/** The screen of an entry that is about no delivery. */
const screens: Record<Exclude<OperationName, AboutDelivery>, string> = {
  changePhone: paths.profile,
  changeDriverCard: paths.profile,
  changeNotifications: paths.profile,
  changeCommutes: commutesPath,
  endSession: paths.profile,
  reviewDriver: paths.adminDrivers,
  resolveDispute: paths.adminDisputes,
  settlePayout: `${paths.admin}/money`,
  suspendUser: paths.adminUsers,
  addNote: paths.adminUsers,
  addZone: paths.adminSettings,
  changeZone: paths.adminSettings,
  removeZone: paths.adminSettings,
  addItem: paths.adminSettings,
  changeItem: paths.adminSettings,
  removeItem: paths.adminSettings,
  changeSettings: paths.adminSettings,
}

/** The screen that an entry's card opens: for most of them the delivery's. */
export const screenOf = ({ op, lane }: Entry): string =>
  (screens as Partial<Record<OperationName, string>>)[op] ?? roomPath(lane)
