import type { IdType } from '#domain/users/driver.ts'
import { idCard, idNumber } from '../pictures/id-cards.ts'
import type { ImageUploads } from './image-uploads.ts'
import type { Random } from './random.ts'
import type { Resident } from './residents.ts'
import { isoTime } from './seed/deliveries.ts'

const year = 365.25 * 24 * 60 * 60_000

/** A driver's application made at `time` (milliseconds), with a drawn ID card among the uploads. */
export function driverApplication(
  random: Random,
  uploads: ImageUploads,
  person: Resident,
  time: number,
) {
  const type: IdType = random.chance(0.3) ? 'passport' : 'ghana_card'
  const number = idNumber(type, random.digits)
  const born = isoTime(time - random.between(21, 52) * year)
  const issued = isoTime(time - random.between(0.5, 8) * year)
  return {
    userId: person.id,
    idType: type,
    idNumber: number,
    createdAt: isoTime(time),
    idPhoto: uploads.add(idCard({ ...person, type, number, born, issued })),
  }
}
