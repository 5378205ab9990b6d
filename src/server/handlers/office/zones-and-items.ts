import type { QueryOf } from '#contract/queries.ts'
import { type Choice, sameName } from '#domain/choices.ts'
import { Refusal } from '#domain/errors.ts'
import { fold } from '#domain/fold.ts'
import { minute } from '#domain/product.ts'
import { changeZone } from '#domain/zones/change-zone.ts'
import type { Handlers } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Choices } from '../../ports/stores/record-stores.ts'

type ChoiceHandlers = Pick<
  Handlers,
  | 'zones'
  | 'items'
  | 'config'
  | 'adminZones'
  | 'adminItems'
  | 'addZone'
  | 'changeZone'
  | 'removeZone'
  | 'addItem'
  | 'removeItem'
>

/** The choices that contain `search`, folded, sorted by `sort` (`Name` or `-Name`). Refusal: invalid. */
function choicesFor<C extends Choice>(choices: C[], { search, sort }: QueryOf<'adminZones'>): C[] {
  const sought = fold(search?.trim() ?? '')
  const found = choices.filter(({ Name }) => fold(Name).includes(sought))
  if (!sort) return found
  if (!/^-?Name$/.test(sort))
    throw new Refusal('invalid', `This list cannot be sorted by ${sort.slice(0, 40)}.`)
  const direction = sort.startsWith('-') ? -1 : 1
  return found.sort((a, b) => direction * a.Name.localeCompare(b.Name))
}

/** The key of the table is the name in small letters alone, because names that earlier versions stored stay. Refusal: name-taken. */
async function refuseTaken(choices: Pick<Choices, 'list'>, { ID, Name }: Choice): Promise<void> {
  const known = await choices.list()
  if (known.some((each) => each.ID !== ID && sameName(each.Name, Name)))
    throw new Refusal('name-taken')
}

/** Zones and item types: the lists people choose from, and their changes by admins (R86). */
export function choiceHandlers({ secrets, options, push }: Ports): ChoiceHandlers {
  const zones = () => async (stores: Stores) => ({ body: { zones: await stores.zones.list() } })
  const items = () => async (stores: Stores) => ({ body: { items: await stores.items.list() } })
  const changed = (about: 'zones' | 'items') => ({ about, to: [], everyone: true })
  return {
    zones,
    items,
    adminZones:
      ({ query }) =>
      async (stores) => ({ body: { zones: choicesFor(await stores.zones.list(), query) } }),
    adminItems:
      ({ query }) =>
      async (stores) => ({ body: { items: choicesFor(await stores.items.list(), query) } }),

    config: () => async () => {
      const { imageUploadUrl, imageUploadPreset, idUploadPreset, imageHost, endings } = options
      const { minClientVersion } = options
      const photos = { imageUploadUrl, imageUploadPreset, idUploadPreset, imageHost }
      const terms = {
        autoApproveHours: endings.autoApprove / (60 * minute),
        returnShare: endings.returnShare,
        waitMinutes: endings.wait / minute,
        minOffer: options.minOffer,
        payments: options.payments.mode,
        feePercent: options.payments.feePercent,
      }
      return {
        body: {
          ...photos,
          ...terms,
          ...options.help,
          ...(minClientVersion ? { minClientVersion } : {}),
          ...(push ? { pushKey: push.publicKey } : {}),
        },
      }
    },

    addZone:
      ({ input: { name }, key, at }) =>
      async (stores) => {
        const zone = { ID: key ?? secrets.id(), Name: name }
        await refuseTaken(stores.zones, zone)
        await stores.zones.add(zone, at)
        await stores.publish(changed('zones'))
        return { body: { zone }, subject: name }
      },

    changeZone:
      ({ id, input }) =>
      async (stores) => {
        const after = changeZone(await stores.zones.list(), id, input)
        const zone = after.find(({ ID }) => ID === id)
        if (!zone || !(await stores.zones.change(id, input))) throw new Refusal('not-found')
        await stores.publish(changed('zones'))
        return { body: { zone }, subject: zone.Name }
      },

    removeZone:
      ({ id }) =>
      async (stores) => {
        if (!(await stores.zones.remove(id))) throw new Refusal('not-found')
        await stores.publish(changed('zones'))
        return { body: { message: 'Zone deleted' } }
      },

    addItem:
      ({ input: { name }, key, at }) =>
      async (stores) => {
        const item = { ID: key ?? secrets.id(), Name: name }
        await refuseTaken(stores.items, item)
        await stores.items.add(item, at)
        await stores.publish(changed('items'))
        return { body: { item }, subject: name }
      },

    removeItem:
      ({ id }) =>
      async (stores) => {
        if (!(await stores.items.remove(id))) throw new Refusal('not-found')
        await stores.publish(changed('items'))
        return { body: { message: 'Item deleted' } }
      },
  }
}
