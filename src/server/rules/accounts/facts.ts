import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { PersonFacts, Sign } from '#domain/users/standing/person-facts.ts'
import type { User } from '#domain/users/user.ts'
import type { Stores } from '../../ports/repo.ts'

/** What admins read of a person beside the account; `newest`: their newest deliveries, sent or carried. */
export async function factsOf(
  stores: Stores,
  { ID }: User,
  newest: Delivery[],
): Promise<PersonFacts> {
  const [joinedAt, sessions, notes, disputes, gaveBack] = [
    await stores.users.joinedAt(ID),
    await stores.sessions.listOf(ID),
    await stores.userNotes.list(ID),
    await stores.disputes.ofDeliveries(newest.map((each) => each.ID)),
    await stores.deliveries.countReleased(ID),
  ]
  return {
    joinedAt,
    sessions: sessions.map(({ device, createdAt, usedAt }) => ({ device, createdAt, usedAt })),
    notes: notes.map(({ userId: _, ...note }) => note),
    disputes: disputes.map(({ ID: id, issue = '', status = 'open', CreatedAt = '' }) => ({
      ID: id,
      issue,
      status,
      at: CreatedAt,
    })),
    gaveBack,
    signs: [
      ...twinSigns(await stores.users.twins(ID)),
      ...(await pairSigns(stores, ID, newest)),
      ...(await cancelSigns(stores, ID, newest)),
      ...giveBackSigns(ID, newest, gaveBack),
    ],
  }
}

/** One sign for each kind of thing in common (R203). */
function twinSigns(twins: Awaited<ReturnType<Stores['users']['twins']>>): Sign[] {
  const kinds = [...new Set(twins.map(({ kind }) => kind))]
  return kinds.map((kind) => ({
    kind,
    people: twins.filter((each) => each.kind === kind).map(({ ID, name }) => ({ ID, name })),
  }))
}

/** Deliveries from which on two people who deal with each other alone are named, and the part that counts as alone. */
const fewest = 3
const nearlyAll = 0.8

const otherOf = ({ sender, driver }: Delivery, id: string) =>
  sender?.id === id ? driver : driver?.id === id ? sender : undefined

/** Whom nearly all of a person's deliveries are with, and how many. */
function partnerOf(id: string, newest: Delivery[]) {
  const others = newest.map((each) => otherOf(each, id)).filter((each) => each !== undefined)
  const of = newest.filter(({ sender, driver }) => sender && driver).length
  for (const partner of new Map(others.map((each) => [each.id, each])).values()) {
    const count = others.filter((each) => each.id === partner.id).length
    if (count >= fewest && count >= nearlyAll * of) return { partner, count, of }
  }
  return undefined
}

/** Two people who only deal with each other (R203). */
async function pairSigns(stores: Stores, id: string, newest: Delivery[]): Promise<Sign[]> {
  const found = partnerOf(id, newest)
  if (!found) return []
  const { partner, count, of } = found
  const theirs = await stores.deliveries.list(
    { of: { party: partner.id } },
    { limit: newest.length },
  )
  if (partnerOf(partner.id, theirs.rows)?.partner.id !== id) return []
  return [{ kind: 'pair', people: [{ ID: partner.id, name: partner.name }], count, of }]
}

/** A sender who cancels more than twice as often as all senders together (R203). */
async function cancelSigns(
  { deliveries }: Stores,
  id: string,
  newest: Delivery[],
): Promise<Sign[]> {
  const sent = newest.filter(({ sender }) => sender?.id === id)
  const count = sent.filter(({ status }) => status === 'Cancelled').length
  if (count < fewest) return []
  const all = await deliveries.countByStatus({ of: 'everyone' })
  const total = Object.values(all).reduce((sum, each) => sum + each, 0)
  if (count * total <= 2 * (all.Cancelled ?? 0) * sent.length) return []
  return [{ kind: 'cancels', people: [], count, of: sent.length }]
}

/** A driver who gives back more than every third job (R203). */
function giveBackSigns(id: string, newest: Delivery[], count: number): Sign[] {
  const of = newest.filter(({ driver }) => driver?.id === id).length + count
  return count >= fewest && count * 3 > of ? [{ kind: 'give-backs', people: [], count, of }] : []
}
