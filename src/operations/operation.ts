import type * as z from 'zod/mini'
import type { ActionTime, Actor, Delivery, Status } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import type { User } from '#domain/users/user.ts'
import type { Endpoint } from './endpoint.ts'

/** What a request is made from beside the entry's input. */
export type RequestContext = {
  /** What the server calls the row. */
  id: string
  /** Whether a guest asks, and the phone number that they gave. */
  isGuest: boolean
  guestPhone?: string
  /** Where the image provider keeps the input's `photo`. */
  photoUrl?: string
}

/** One call of the endpoint table, and what it sends. */
export type OperationRequest = {
  op: string
  id?: string
  query?: Record<string, string>
  body?: object
}

/** How the outbox treats an operation. */
type Queue = {
  /** It leaves before others (S34). */
  urgent?: true
  /** It follows the entries of its lane that were made before it, and none made later waits for it (S72). */
  isAside?: true
  /** It carries a file: two of these leave at a time, after everything else (S34). */
  isUpload?: true
}

type Shape<I extends z.ZodMiniType> = {
  /** What the outbox stores; its shape changes only with the version of the entry. */
  input: I
  /** What its own call sends; nothing where it is left out. The same input always sends the same (S43). */
  body?(input: z.infer<I>, context: RequestContext): object
  /** The request where the call is shared with other operations. */
  request?(input: z.infer<I>, context: RequestContext): OperationRequest
  queue?: Queue
}

/** What a person can do that changes no delivery by a rule. */
export function operation<I extends z.ZodMiniType, C extends Endpoint | undefined = undefined>(
  about: Shape<I> & { call?: C },
) {
  return about as Shape<I> & { call: C }
}

/** What a person does to a delivery that exists. */
export function deliveryOperation<
  I extends z.ZodMiniType,
  T,
  C extends Endpoint | undefined = undefined,
>(
  about: Shape<I> & {
    call?: C
    /**
     * Gives the delivery as it is afterwards, or throws the refusal. `terms`: what the server alone knows; a phone leaves
     * them out and foresees.
     */
    rule(
      delivery: Delivery,
      actor: Actor,
      when: ActionTime,
      input: Details<z.infer<I>>,
      terms?: T,
    ): Delivery
    /** The side it is for: nobody else is told that there is this delivery. Left out: whoever may make its call. */
    by?: 'driver' | 'sender' | 'party'
    /** What `can` asks the rule with, where that takes more than the delivery. */
    sample?: Details<z.infer<I>>
    /** The screen shows its effect only once the server has answered. */
    isUnforeseen?: true
  } & Visible<z.infer<I>>,
) {
  return about as typeof about & { call: C }
}

/** How a row of the server shows that what an entry asks has taken effect (S75): each part that is given holds. */
type Visible<I> = {
  /** The status that it brings about. */
  reaches?: Status
  isVisible?(row: Delivery, entry: { account: string; occurredAt: string; input: I }): boolean
}

/** What an input says beside the delivery it is about. */
export type Details<I> = Omit<I, 'id'>

/** The account behind an actor. Refusal: not-allowed, for a guest. */
export function personIn(actor: Actor): User {
  if (!('user' in actor)) throw new Refusal('not-allowed')
  return actor.user
}

/** A rule, whichever operation it is of. */
export type DeliveryRule = Visible<object> & {
  by?: 'driver' | 'sender' | 'party'
  rule(delivery: Delivery, actor: Actor, when: ActionTime, input: object, terms?: unknown): Delivery
  sample?: object
  isUnforeseen?: true
}
