import * as z from 'zod/mini'
import { Choice } from '#domain/choices.ts'
import { maxName } from '#domain/deliveries/draft.ts'
import { Zone, zoneChange } from '#domain/zones/zone.ts'
import { message, send } from '../endpoint.ts'
import { body, Name, requiredText, ZoneName } from '../fields.ts'
import { type OperationRequest, operation, type RequestContext } from '../operation.ts'

/*
 * An admin's changes of the lists that people choose from: zones and item types.
 */

const named = {
  input: z.object({ name: z.string() }),
  body: (input: { name: string }) => input,
}
/** `confirm`: also if deliveries under way use it (R208). */
const removed = {
  input: z.object({ id: z.string(), name: z.string(), confirm: z.optional(z.boolean()) }),
}
const removal =
  (op: 'removeZone' | 'removeItem') =>
  ({ confirm }: { confirm?: boolean }, { id }: RequestContext): OperationRequest => ({
    op,
    id,
    ...(confirm ? { query: { confirm: '1' } } : {}),
  })

export const addZone = operation({
  ...named,
  call: send('POST', '/admin/zones', 'admin', z.object({ zone: Choice }), 201),
})
/** `name`: as it is called now; `rename`: from now on (R206). `place`: 1 is the first of the list (R207). */
const renamed = {
  id: z.string(),
  name: z.string(),
  rename: z.optional(z.string()),
  place: z.optional(z.number()),
}
/** Also its centre and its roads (R165). */
export const changeZone = operation({
  input: z.object({ ...renamed, ...zoneChange }),
  body: ({ id: _, name: __, rename: name, ...change }) => ({ name, ...change }),
  call: send('PATCH', '/admin/zones/:id', 'admin', z.object({ zone: Zone })),
})
export const removeZone = operation({
  ...removed,
  request: removal('removeZone'),
  call: send('DELETE', '/admin/zones/:id', 'admin', message),
})
export const addItem = operation({
  ...named,
  call: send('POST', '/admin/items', 'admin', z.object({ item: Choice }), 201),
})
export const changeItem = operation({
  input: z.object(renamed),
  body: ({ rename: name, place }) => ({ name, place }),
  call: send('PATCH', '/admin/items/:id', 'admin', z.object({ item: Choice })),
})
export const removeItem = operation({
  ...removed,
  request: removal('removeItem'),
  call: send('DELETE', '/admin/items/:id', 'admin', message),
})

/** What the server takes of a new one. */
export const newChoiceBody = body(() => z.object({ name: Name }))
export const newZoneBody = body(() => z.object({ name: ZoneName }))

const degrees = body(
  () => (most: number) =>
    z
      .number('A centre has numbers of degrees.')
      .check(
        z.minimum(-most, 'That centre is not on the map.'),
        z.maximum(most, 'That centre is not on the map.'),
      ),
)
const km = 'A road has more than 0 and at most 500 kilometres.'

const place = body(
  () => () =>
    z
      .int('A place is a whole number.')
      .check(
        z.minimum(0, 'The first place of the list is 1.'),
        z.maximum(10_000, 'The list has no such place.'),
      ),
)
export const changeItemBody = body(() =>
  z.object({ name: z.optional(Name), place: z.optional(place()) }),
)

/** What the server takes of a change of a zone; which zones its roads lead to is checked with the list. */
export const changeZoneBody = body(() =>
  z
    .object({
      name: z.optional(ZoneName),
      place: z.optional(place()),
      lat: z.optional(degrees(90)),
      lng: z.optional(degrees(180)),
      roads: z.optional(
        z
          .array(
            z.object({
              to: requiredText('Zone', maxName),
              km: z.number(km).check(z.gt(0, km), z.lte(500, km)),
            }),
          )
          .check(z.maxLength(500, 'A zone has at most 500 roads.')),
      ),
    })
    .check(
      z.refine(
        ({ lat, lng }) => (lat === undefined) === (lng === undefined),
        'A centre needs both its latitude and its longitude.',
      ),
    ),
)
