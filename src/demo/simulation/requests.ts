import { defaultZones } from '#domain/choices.ts'
import type { Album } from '../backend/image-uploads.ts'
import { type Item, itemPicture, items, proofPicture, variants } from '../pictures/pictures.ts'
import type { Dice } from './random.ts'

/** What somebody of the city asks to be carried. */
export function request(dice: Dice, album: Album) {
  const item = dice.pick(items)
  const pickupZone = dice.pick(defaultZones)
  const dropoffZone = dice.pick(defaultZones.filter((zone) => zone !== pickupZone))
  return {
    ...{ itemDescription: item, pickupZone, dropoffZone },
    offer: fare(dice, item, distance(pickupZone, dropoffZone)),
    recipientName: `${dice.pick(firstNames)} ${dice.pick(lastNames)}`,
    recipientPhone: phone(dice),
    itemPhoto: album.add(itemPicture(item, dice.whole(0, variants - 1))),
  }
}

export const proof = (dice: Dice, album: Album, item: string): string | undefined => {
  const known = items.find((each) => each === item)
  return known && album.add(proofPicture(known, dice.whole(0, variants - 1)))
}

/** Somebody without an account. */
export const passerBy = (dice: Dice) => ({
  senderName: `${dice.pick(firstNames)} ${dice.pick(lastNames)}`,
  senderPhone: phone(dice),
})

/** Three zeros after the prefix: in the right form, and nobody's. */
const phone = (dice: Dice) =>
  `${dice.pick(['024', '054', '020', '050', '026'])}000${dice.digits(4)}`

const firstNames =
  'Adjoa,Afia,Akwasi,Ato,Baaba,Delali,Dzigbordi,Ernestina,Fatima,Fiifi,Gifty,Hawa,Ibrahim,Kobby,Kweku,Lamisi,Mawusi,Nii Ayi,Naa Adoley,Oheneba,Paapa,Rashida,Sedinam,Yaa'.split(
    ',',
  )
const lastNames =
  'Acheampong,Adjei,Agbenu,Aryee,Awuni,Badu,Bawa,Dakurah,Debrah,Frimpong,Gyasi,Kotey,Kumah,Mahama,Nartey,Obeng,Opoku,Quaye,Sackey,Seidu,Tandoh,Wiredu,Yeboah,Zakari'.split(
    ',',
  )

/** Cedis: so much to come at all, so much a kilometre, more for what fills the boot or breaks. */
function fare(dice: Dice, item: Item, kilometres: number): number {
  const more = { 'Large Box': 30, 'Medium Box': 12, Laptop: 18, Groceries: 8 }[String(item)] ?? 0
  const fair = (14 + 2.2 * kilometres + more) * dice.between(0.85, 1.25)
  return dice.chance(0.12) ? Math.round(fair) + 0.5 : Math.max(15, Math.round(fair / 5) * 5)
}

/** Kilometres from Accra Central to the east and the north, in the order of the zones. */
const places = '0,0 3,0 5,1 5,3 5,6 7,10 7,14 9,18 26,13 14,9 0,3 -3,2 -6,-1 -1,9 5,11 2,6 3,5 -1,6'
  .split(' ')
  .map((place) => place.split(',').map(Number))

function distance(from: (typeof defaultZones)[number], to: (typeof defaultZones)[number]): number {
  const [x = 0, y = 0] = places[defaultZones.indexOf(from)] ?? []
  const [u = 0, v = 0] = places[defaultZones.indexOf(to)] ?? []
  return Math.hypot(x - u, y - v)
}
