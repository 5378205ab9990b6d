import type { ActionTime, Actor, Delivery } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { type Action, type DeliveryOperation, operations } from './index.ts'
import type { DeliveryRule } from './operation.ts'

const ruleOf = (action: Action) => operations[action] as DeliveryRule

/** Whether an operation changes a delivery, and the screen shows so before the server has answered. */
export const isForeseen = (op: string): op is Action =>
  Object.hasOwn(operations, op) &&
  'rule' in operations[op as Action] &&
  !ruleOf(op as Action).isUnforeseen

/** The delivery as the rules expect it after this operation. Throws the rule's Refusal. */
export function predict(
  delivery: Delivery,
  operation: DeliveryOperation,
  actor: Actor,
  when: ActionTime,
): Delivery {
  return ruleOf(operation.op).rule(delivery, actor, when, operation)
}

/** When `can` pretends to act: no licence has expired yet, and every wait is over. */
const early = { at: '1970-01-01T00:00:00.000Z' }
const late = { at: '9999-12-31T23:59:59.999Z' }

/**
 * Whether the screen offers this action: it asks the rule itself, so that the two cannot differ. Time is left out:
 * whether a licence has expired (R114), and whether the wait before a return is over (R103).
 */
export function can(actor: Actor | undefined, action: Action, delivery: Delivery): boolean {
  if (!actor) return false
  const { rule, sample = {} } = ruleOf(action)
  try {
    rule(delivery, actor, action === 'startReturn' ? late : early, sample)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
