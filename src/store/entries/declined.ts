import type { Reason } from '#domain/errors.ts'
import type { Entry } from './operations.ts'

/** What nobody on this phone can change: the job is gone, or somebody else decides. */
const final: readonly (Reason | undefined)[] = [
  'not-found',
  'not-allowed',
  'driver-not-approved',
  'taken',
  'own-request',
  'accepts',
  'attempts',
  'wrong-status',
  'codes',
  'disputed',
  'rated',
]

/**
 * Whether an entry was refused for good, so that there is nothing to fix and it can only be dismissed. A request never
 * is: it can be corrected and sent anew (S32).
 */
export const isDeclined = ({ op, state, error }: Pick<Entry, 'op' | 'state' | 'error'>): boolean =>
  state === 'refused' && final.includes(error?.reason) && !op.startsWith('create')
