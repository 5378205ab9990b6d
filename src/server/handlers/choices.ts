import { Refusal } from '#domain/errors.ts'
import type { Gateways } from '../gateways.ts'
import type { Handlers } from '../handler.ts'
import type { Stores } from '../repo.ts'

type Choosing = Pick<
  Handlers,
  | 'zones'
  | 'items'
  | 'config'
  | 'adminZones'
  | 'adminItems'
  | 'addZone'
  | 'removeZone'
  | 'addItem'
  | 'removeItem'
>

/** The two lists people choose from, and their upkeep (spec §2: settings). */
export function choiceHandlers({ secrets, options }: Gateways): Choosing {
  const zones = () => async (stores: Stores) => ({ body: { zones: await stores.zones.list() } })
  const items = () => async (stores: Stores) => ({ body: { items: await stores.items.list() } })
  const told = (about: 'zones' | 'items') => ({ about, to: [], everyone: true })
  return {
    zones,
    items,
    adminZones: zones,
    adminItems: items,

    config: () => async () => {
      const { imageUploadUrl, imageUploadPreset, imageHost } = options
      return { body: { imageUploadUrl, imageUploadPreset, imageHost } }
    },

    addZone:
      ({ input: { name }, key, at }) =>
      async (stores) => {
        const zone = { ID: key ?? secrets.id(), Name: name }
        await stores.zones.add(zone, at)
        await stores.announce(told('zones'))
        return { body: { zone } }
      },

    removeZone:
      ({ id }) =>
      async (stores) => {
        if (!(await stores.zones.remove(id))) throw new Refusal('not-found')
        await stores.announce(told('zones'))
        return { body: { message: 'Zone deleted' } }
      },

    addItem:
      ({ input: { name }, key, at }) =>
      async (stores) => {
        const item = { ID: key ?? secrets.id(), Name: name }
        await stores.items.add(item, at)
        await stores.announce(told('items'))
        return { body: { item } }
      },

    removeItem:
      ({ id }) =>
      async (stores) => {
        if (!(await stores.items.remove(id))) throw new Refusal('not-found')
        await stores.announce(told('items'))
        return { body: { message: 'Item deleted' } }
      },
  }
}
