import type { OperationName } from '#operations/index.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { paths, roomPath } from '../../../paths.ts'

/** Where an item is that is about no delivery. */
const places: Partial<Record<OperationName, string>> = {
  changePhone: paths.profile,
  endSession: paths.profile,
  reviewDriver: paths.adminDrivers,
  resolveDispute: paths.adminDisputes,
  addZone: paths.adminSettings,
  removeZone: paths.adminSettings,
  addItem: paths.adminSettings,
  removeItem: paths.adminSettings,
}

/** The screen of what an item is about: for most of them the delivery's. */
export const placeOf = ({ op, lane }: Entry): string => places[op] ?? roomPath(lane)
