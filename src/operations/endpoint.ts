import * as z from 'zod/mini'
import { Delivery } from '#domain/deliveries/delivery.ts'
import { Dispute } from '#domain/deliveries/dispute.ts'

/**
 * Who may make a call at all; the domain's rules decide what they see and change of a row.
 * `anyone-or-person`: no token is needed; a valid one names the account, and with `anyone-or-caller` a guest too. `recipient`: the track token of the
 * delivery, which opens nothing else (R111). `office`: admins and support; what is `admin` is refused to support (R210).
 */
export type Access =
  | 'anyone'
  | 'anyone-or-person'
  | 'anyone-or-caller'
  | 'person'
  | 'driver'
  | 'office'
  | 'admin'
  | 'guest'
  | 'person-or-guest'
  | 'recipient'

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api`; `:id` is a row's ID, `:key` a request key, `:code` a support code, `:secret` that of an invitation. */
  path: string
  access: Access
  response: z.ZodMiniObject
  /** The named member of the response; a bare array or object is read as this member (R87). */
  member: string
  status: 200 | 201
}

/** One line of the table; its type keeps the response's schema, from which handlers and callers infer theirs. */
export type EndpointLine<S extends z.ZodMiniObject> = Omit<Endpoint, 'response'> & { response: S }

export const get = <S extends z.ZodMiniObject>(
  path: string,
  access: Access,
  response: S,
): EndpointLine<S> => line('GET', path, access, response, 200)

export const send = <S extends z.ZodMiniObject>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  access: Access,
  response: S,
  status: 200 | 201 = 200,
): EndpointLine<S> => line(method, path, access, response, status)

const line = <S extends z.ZodMiniObject>(
  method: Endpoint['method'],
  path: string,
  access: Access,
  response: S,
  status: 200 | 201,
): EndpointLine<S> => ({ method, path, access, response, status, member: memberOf(response) })

const memberOf = (response: z.ZodMiniObject) => Object.keys(response.shape)[0] as string

export const message = z.object({ message: z.string() })
export const oneDelivery = z.object({ delivery: Delivery })
export const oneDispute = z.object({ dispute: Dispute })
/** With 202, what was done before a cancel and is heard after it has opened this dispute (R124). */
export const deliveryOrDispute = z.object({ delivery: Delivery, dispute: z.optional(Dispute) })
