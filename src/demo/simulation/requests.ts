import { defaultZones } from '#domain/choices.ts'
import type { ItemDetails } from '#domain/deliveries/item.ts'
import { defaultPlaces } from '#domain/zones/default-places.ts'
import { distancesOf } from '#domain/zones/roads.ts'
import { type Item, itemPicture, items, proofPicture, variants } from '../pictures/pictures.ts'
import type { ImageUploads } from './image-uploads.ts'
import type { Random } from './random.ts'

/** A delivery request of a resident, with a drawn photo among the uploads. */
export function randomRequest(random: Random, uploads: ImageUploads) {
  const item = random.pick(items)
  const pickupZone = random.pick(defaultZones)
  const dropoffZone = random.pick(defaultZones.filter((zone) => zone !== pickupZone))
  return {
    itemDescription: item,
    pickupZone,
    dropoffZone,
    ...detailsOf(item),
    offer: fare(random, item, distance(pickupZone, dropoffZone)),
    recipientName: `${random.pick(firstNames)} ${random.pick(lastNames)}`,
    recipientPhone: phone(random),
    itemPhoto: uploads.add(itemPicture(item, random.integer(0, variants - 1))),
  }
}

/** What a resident says of such an item (R160). */
const details: Partial<Record<Item, ItemDetails>> = {
  Laptop: { size: 'small', fragile: true, note: 'In its sleeve. Please keep it dry.' },
  Phone: { size: 'small', fragile: true },
  'Large Box': { size: 'large', note: 'Two people lift it easily.' },
  'Medium Box': { size: 'medium' },
  Groceries: { size: 'medium', note: 'Eggs on top.' },
}
const detailsOf = (item: Item): ItemDetails => details[item] ?? {}

/** The URL of a drawn proof of delivery; nothing for an item that has no drawing. */
export const randomProof = (
  random: Random,
  uploads: ImageUploads,
  item: string,
): string | undefined => {
  const known = items.find((each) => each === item)
  return known && uploads.add(proofPicture(known, random.integer(0, variants - 1)))
}

/** A sender without an account. */
export const randomGuest = (random: Random) => ({
  senderName: `${random.pick(firstNames)} ${random.pick(lastNames)}`,
  senderPhone: phone(random),
})

/** Valid numbers that belong to nobody: three zeros follow the prefix. */
const phone = (random: Random) =>
  `${random.pick(['024', '054', '020', '050', '026'])}000${random.digits(4)}`

const firstNames =
  'Adjoa,Afia,Akwasi,Ato,Baaba,Delali,Dzigbordi,Ernestina,Fatima,Fiifi,Gifty,Hawa,Ibrahim,Kobby,Kweku,Lamisi,Mawusi,Nii Ayi,Naa Adoley,Oheneba,Paapa,Rashida,Sedinam,Yaa'.split(
    ',',
  )
const lastNames =
  'Acheampong,Adjei,Agbenu,Aryee,Awuni,Badu,Bawa,Dakurah,Debrah,Frimpong,Gyasi,Kotey,Kumah,Mahama,Nartey,Obeng,Opoku,Quaye,Sackey,Seidu,Tandoh,Wiredu,Yeboah,Zakari'.split(
    ',',
  )

/** Cedis: a base price, a price per kilometre, and a surcharge for large or fragile items. */
function fare(random: Random, item: Item, kilometres: number): number {
  const surcharge =
    { 'Large Box': 30, 'Medium Box': 12, Laptop: 18, Groceries: 8 }[String(item)] ?? 0
  const fair = (14 + 1.7 * kilometres + surcharge) * random.between(0.85, 1.25)
  return random.chance(0.12) ? Math.round(fair) + 0.5 : Math.max(15, Math.round(fair / 5) * 5)
}

/** Kilometres by road. */
const distance = distancesOf(defaultPlaces())
