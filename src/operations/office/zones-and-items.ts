import * as z from 'zod/mini'
import { Choice } from '#domain/choices.ts'
import { maxName } from '#domain/deliveries/draft.ts'
import { Zone, zoneChange } from '#domain/zones/zone.ts'
import { message, send } from '../endpoint.ts'
import { body, Name, requiredText, ZoneName } from '../fields.ts'
import { operation } from '../operation.ts'

/*
 * An admin's changes of the lists that people choose from: zones and item types.
 */

const named = {
  input: z.object({ name: z.string() }),
  body: (input: { name: string }) => input,
}
const removed = { input: z.object({ id: z.string(), name: z.string() }) }

export const addZone = operation({
  ...named,
  call: send('POST', '/admin/zones', 'admin', z.object({ zone: Choice }), 201),
})
/** Its centre and its roads (R165). */
export const changeZone = operation({
  input: z.object({ id: z.string(), name: z.string(), ...zoneChange }),
  body: ({ id: _, name: __, ...change }) => change,
  call: send('PATCH', '/admin/zones/:id', 'admin', z.object({ zone: Zone })),
})
export const removeZone = operation({
  ...removed,
  call: send('DELETE', '/admin/zones/:id', 'admin', message),
})
export const addItem = operation({
  ...named,
  call: send('POST', '/admin/items', 'admin', z.object({ item: Choice }), 201),
})
export const removeItem = operation({
  ...removed,
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

/** What the server takes of a change of a zone; which zones its roads lead to is checked with the list. */
export const changeZoneBody = body(() =>
  z
    .object({
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
