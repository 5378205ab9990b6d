import { v7 } from 'uuid'
import type { Stores } from '../../../ports/repo.ts'

/** Records an act of the operator's command line in the audit log, in its transaction (R57). */
export const auditOperator = (stores: Stores, action: string, subject: string): Promise<void> =>
  stores.audit.add({
    ID: v7(),
    At: new Date().toISOString(),
    Actor: 'console',
    Action: action,
    Subject: subject,
    Address: '',
  })
