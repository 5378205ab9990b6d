import type { Actor, Delivery } from '#domain/deliveries/delivery.ts'
import type { Action, operations } from '#operations/index.ts'
import type { CommittedRefusal, HandlerInput, Reply } from '../ports/handler.ts'
import type { Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import type { StoredDelivery } from '../ports/stores/delivery-stores.ts'

type Operations = typeof operations

/** Actions on a delivery that have a call of their own. */
export type DeliveryCall = {
  [A in Action]: Operations[A]['call'] extends undefined ? never : A
}[Action]

/** What only the server knows for the rule of an operation. */
type TermsOf<O extends DeliveryCall> = NonNullable<Parameters<Operations[O]['rule']>[4]>

/** One operation on a delivery that this transaction has locked. */
type Situation<O extends DeliveryCall> = {
  ports: Ports
  stores: Stores
  before: StoredDelivery
  /** The caller as the transaction reads them. */
  actor: Actor
  asked: HandlerInput<O>
}

/** What the server does for an operation beside its rule. Whatever throws undoes the whole transaction. */
export type Effect<O extends DeliveryCall, L = unknown> = {
  /** Other accounts that it changes: they are locked first (R138). */
  alsoLocks?(ports: Ports, asked: HandlerInput<O>): Promise<string[]>
  /** Reads what does not need the row's lock, while the row is being locked. */
  load?(about: Omit<Situation<O>, 'before'>): Promise<L>
  /** Gives the terms of the rule, or a refusal that is committed. */
  terms?(about: Situation<O> & { loaded: L }): Promise<TermsOf<O> | CommittedRefusal | undefined>
  /** Further writes, once the rule allows the operation. */
  allowed?(about: Situation<O>): Promise<void>
  /** Replaces the usual save and returns the reply. */
  save?(about: Situation<O>, after: Delivery): Promise<Reply<O>>
}

/** Gives an effect its types. */
export const effect = <O extends DeliveryCall, L = unknown>(about: Effect<O, L>): Effect<O> =>
  about as Effect<O>
