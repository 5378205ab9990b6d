import type { Op } from '#contract/endpoints.ts'

/** The calls that read many rows and nothing of the caller's own: they read from a replica where there is one. */
const replicaReads = new Set<Op>([
  'availableDeliveries',
  'adminStats',
  'adminTrends',
  'adminActivities',
  'adminSearch',
  'adminUsers',
  'adminUser',
  'adminDeliveries',
  'adminDrivers',
  'adminDriversWithDetails',
  'adminDisputes',
  'adminMoney',
  'adminPayouts',
  'adminAudit',
])

/** Whether a replica may answer this call. */
export const isReplicaRead = (op: Op): boolean => replicaReads.has(op)
