import type { QueryOf } from '#contract/queries.ts'
import { type Choice, movedTo, sameName } from '#domain/choices.ts'
import { Refusal } from '#domain/errors.ts'
import { fold } from '#domain/fold.ts'
import { changeZone } from '#domain/zones/change-zone.ts'
import { DetailedRefusal } from '../../ports/detailed-refusal.ts'
import type { Handlers } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Deliveries } from '../../ports/stores/delivery-stores.ts'
import type { Choices } from '../../ports/stores/record-stores.ts'

type ChoiceHandlers = Pick<
  Handlers,
  | 'zones'
  | 'items'
  | 'adminZones'
  | 'adminItems'
  | 'addZone'
  | 'changeZone'
  | 'removeZone'
  | 'addItem'
  | 'changeItem'
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

/** Gives an entry of the list another name, and returns it; nothing where it has that name. Refusals: not-found, name-taken. */
async function renamed(
  store: Pick<Choices, 'list' | 'rename'>,
  choices: readonly Choice[],
  id: string,
  name: string | undefined,
): Promise<string | undefined> {
  const choice = choices.find(({ ID }) => ID === id)
  if (!choice) throw new Refusal('not-found')
  if (name === undefined || name === choice.Name) return undefined
  await refuseTaken(store, { ID: id, Name: name })
  await store.rename(id, name)
  return name
}

/** Commutes that name the zone follow it to its new name, and their drivers hear of it (R206). */
async function followZone(stores: Stores, before: readonly Choice[], id: string, name: string) {
  const former = before.find(({ ID }) => ID === id)?.Name ?? name
  const drivers = await stores.users.renameZone(former, name)
  if (drivers.length > 0) await stores.publish({ about: 'me', to: drivers })
}

/** Puts an entry at another place of the list (R207). */
async function moved(
  store: Pick<Choices, 'arrange'>,
  choices: readonly Choice[],
  id: string,
  place: number | undefined,
): Promise<void> {
  if (place !== undefined) await store.arrange(movedTo(choices, id, place).map(({ ID }) => ID))
}

/**
 * Asked once it is off the list: a create that named it before is committed by then. Refusal: in-use, with how many
 * deliveries that have not ended use it (R208).
 */
async function refuseInUse(
  { deliveries }: Stores,
  name: string,
  of: Parameters<Deliveries['countLive']>[0],
): Promise<void> {
  const count = await deliveries.countLive(of)
  if (count === 0) return
  const many = count === 1 ? '1 delivery under way uses' : `${count} deliveries under way use`
  throw new DetailedRefusal('in-use', `${many} ${name}.`, { count })
}

/** Zones and item types: the lists people choose from, and their changes by admins (R86). */
export function choiceHandlers({ secrets }: Ports): ChoiceHandlers {
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
        const { name, place, ...change } = input
        const before = await stores.zones.list()
        const isRenamed = await renamed(stores.zones, before, id, name)
        if (isRenamed) await followZone(stores, before, id, isRenamed)
        const zones = isRenamed ? await stores.zones.list() : before
        const zone = changeZone(zones, id, change).find(({ ID }) => ID === id)
        if (!zone || !(await stores.zones.change(id, change))) throw new Refusal('not-found')
        await moved(stores.zones, zones, id, place)
        await stores.publish(changed('zones'))
        return { body: { zone }, subject: zone.Name }
      },

    removeZone:
      ({ id, query }) =>
      async (stores) => {
        const zone = (await stores.zones.list()).find(({ ID }) => ID === id)
        if (!zone || !(await stores.zones.remove(id))) throw new Refusal('not-found')
        const { Name, former = [] } = zone
        if (query.confirm !== '1') await refuseInUse(stores, Name, { zones: [Name, ...former] })
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

    changeItem:
      ({ id, input: { name, place } }) =>
      async (stores) => {
        const items = await stores.items.list()
        const item = items.find(({ ID }) => ID === id)
        if (!item) throw new Refusal('not-found')
        const Name = (await renamed(stores.items, items, id, name)) ?? item.Name
        await moved(stores.items, items, id, place)
        await stores.publish(changed('items'))
        return { body: { item: { ID: id, Name } }, subject: Name }
      },

    removeItem:
      ({ id, query }) =>
      async (stores) => {
        const item = (await stores.items.list()).find(({ ID }) => ID === id)
        if (!item || !(await stores.items.remove(id))) throw new Refusal('not-found')
        if (query.confirm !== '1') await refuseInUse(stores, item.Name, { item: item.Name })
        await stores.publish(changed('items'))
        return { body: { message: 'Item deleted' } }
      },
  }
}
