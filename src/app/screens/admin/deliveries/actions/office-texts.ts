/* What the office chooses from when it acts for a caller (R191). */

export const driverReasons = [
  'The vehicle broke down',
  "The driver can't be reached",
  'They asked us to',
] as const
export const correctionReasons = [
  'The sender asked us to',
  'A wrong digit',
  'The recipient moved',
] as const
export const approvalReasons = ['The sender confirmed by phone', 'The recipient has it'] as const
export const refundReasons = [
  'The item never arrived',
  'The item is damaged',
  'The sender and the driver agreed',
] as const
export const bothRead = 'Both sides read this.'
