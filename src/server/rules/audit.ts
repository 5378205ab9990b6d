import type { Op } from '#contract/endpoints.ts'
import type { AuditEntry } from '#contract/responses.ts'
import type { Actor } from '#domain/deliveries/delivery.ts'
import { isOffice, type User } from '#domain/users/user.ts'
import type { HandlerInput, Reply } from '../ports/handler.ts'
import type { Stores } from '../ports/repo.ts'
import type { Secrets } from '../ports/secrets.ts'

/**
 * Records an action of the office in its transaction (R57): changes, logins and look-ups of a phone. Other people's
 * calls are not recorded.
 */
export async function recordAdminAction(
  stores: Stores,
  secrets: Secrets,
  op: Op,
  asked: Pick<HandlerInput<Op>, 'id' | 'at' | 'address' | 'device'>,
  actor: Actor | undefined,
  reply: Reply<Op>,
): Promise<void> {
  const admin = adminBehind(op, actor, reply)
  if (!admin) return
  await stores.audit.add(
    auditEntry(secrets, admin, {
      at: asked.at,
      action: op,
      subject: reply.subject ?? (asked.id || asked.device),
      address: asked.address,
    }),
  )
}

/** Whether a reading call is recorded: a look-up of whose phone it is (R92). */
export const isAuditedRead = (op: Op): boolean => op === 'adminDevice'

/** Records that somebody tried to log in as an admin with a wrong password (R57). */
export async function recordFailedLogin(
  { audit }: Stores,
  secrets: Secrets,
  admin: Pick<User, 'ID'>,
  { at, address, device }: Pick<HandlerInput<'login'>, 'at' | 'address' | 'device'>,
): Promise<void> {
  await audit.add(
    auditEntry(secrets, admin, { at, action: 'failedLogin', subject: device, address }),
  )
}

type AuditedAction = { at: string; action: string; subject: string; address: string }

/** One row of the audit log. */
const auditEntry = (
  secrets: Secrets,
  by: Pick<User, 'ID'>,
  { at, action, subject, address }: AuditedAction,
): AuditEntry => ({
  ID: secrets.id(),
  At: at,
  Actor: by.ID,
  Action: action,
  Subject: subject,
  Address: address,
})

function adminBehind(op: Op, actor: Actor | undefined, { body }: Reply<Op>): User | undefined {
  const begins = op === 'login' || op === 'acceptInvitation'
  const user = begins && 'token' in body ? body.user : personOf(actor)
  return isOffice(user) ? user : undefined
}

const personOf = (actor: Actor | undefined) => (actor && 'user' in actor ? actor.user : undefined)
