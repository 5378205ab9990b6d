import type { IdType } from '#domain/driver.ts'
import type { Album } from '../backend/image-uploads.ts'
import { idCard, idNumber } from '../pictures/id-cards.ts'
import type { Dice } from './random.ts'
import type { Townsperson } from './residents.ts'
import { iso } from './seed/deliveries.ts'

const year = 365.25 * 24 * 60 * 60_000

/** What somebody shows who applies to drive at this `time` (milliseconds). */
export function applicationOf(dice: Dice, album: Album, person: Townsperson, time: number) {
  const type: IdType = dice.chance(0.3) ? 'passport' : 'ghana_card'
  const number = idNumber(type, dice.digits)
  const born = iso(time - dice.between(21, 52) * year)
  const issued = iso(time - dice.between(0.5, 8) * year)
  return {
    ...{ userId: person.id, idType: type, idNumber: number, createdAt: iso(time) },
    idPhoto: album.add(idCard({ ...person, type, number, born, issued })),
  }
}
