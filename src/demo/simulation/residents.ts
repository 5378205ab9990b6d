import type { DriverStatus } from '#domain/users/user.ts'
import type { Appearance, Hair } from '../pictures/faces.ts'
import { accountId, emailOf, personas } from './personas.ts'

/** A simulated person: the account and the appearance. */
export type Resident = {
  id: string
  name: string
  email: string
  phone: string
  look: Appearance
  woman: boolean
  /** Drivers only. */
  driverStatus?: DriverStatus
}

/*
 * Each entry is `Name`, a hair letter, a digit for skin and one for outfit. A capital hair letter
 * marks a man. The names come from every region of Ghana.
 */
const senders =
  'Adwoa Serwaa Asante w12,Kwabena Ofori F20,Efua Essuman b14,Nii Armah Tagoe L31,Dzifa Attipoe a25,Rahinatu Yakubu v30,Ekow Aidoo F46,Ama Konadu Osei n01,Selorm Agbeko F35,Araba Sam b17,Kwaku Gyamfi P22,Naa Korkor Ankrah w23,Memunatu Salifu v12,Yayra Dzokoto a34,Ayinpoka Atanga w40,Kofi Nyarko F13,Akua Twumasi b20,Vida Yelpaala a47,Maame Yaa Appiah w05,Blay Ackah F26,Dede Nartey n11,Abena Frimpomaa b33,Kojo Ansah E10,Sena Amegashie b21'
const drivers =
  'Kwame Owusu F31,Tetteh Narh L20,Abdul-Rahman Iddrisu S43,Edem Kpodo F14,Awinbono Aduko S36,Nii Okai Quartey P22,Kwesi Arthur E32,Elikem Gbeho F05,Bayor Domapielle S27,Akosua Darkoa Amponsah b24,Ebo Eshun L41'
const applicants = 'Mawuli Kafui Tamakloe F12,Issah Dawuni K33,Kwadwo Antwi L20,Dela Agbodza b15'
const rejectedDrivers = 'Yaw Preko Sarfo F23,Teye Ocansey P30'

const hairs: Record<string, Hair> = {
  F: 'fade',
  L: 'flat',
  P: 'bald',
  E: 'grey',
  S: 'smock',
  K: 'kufi',
  a: 'afro',
  b: 'braids',
  n: 'bun',
  w: 'wrap',
  v: 'veil',
}

const phonePrefixes = ['024', '054', '055', '059', '020', '050', '026', '027']

/** Numbers below 10 are the personas'. */
let nextNumber = 10
const parse = (list: string, driverStatus?: DriverStatus): Resident[] =>
  list.split(',').map((entry) => {
    const number = nextNumber++
    const name = entry.slice(0, -4)
    const [hair = '', skin, outfit] = entry.slice(-3)
    const woman = hair >= 'a'
    return {
      id: accountId(number),
      name,
      email: emailOf(name),
      woman,
      phone: `${phonePrefixes[number % phonePrefixes.length]}000${String((number * 2_741) % 10_000).padStart(4, '0')}`,
      look: {
        hair: hairs[hair] ?? 'fade',
        skin: Number(skin),
        outfit: Number(outfit),
        extras: extrasOf(number, !woman && hair !== 'E'),
      },
      ...(driverStatus && { driverStatus }),
    }
  })

function extrasOf(number: number, mayHaveBeard: boolean): Appearance['extras'] {
  if (mayHaveBeard && number % 3 === 0) return ['beard']
  return number % 5 === 0 ? ['glasses'] : []
}

const residentOf = (
  key: 'sender' | 'driver' | 'pending',
  driverStatus?: DriverStatus,
): Resident => ({
  ...personas[key],
  woman: key === 'sender',
  ...(driverStatus && { driverStatus }),
})

/** Everybody who has an account when the demo begins, except the admin. */
export const residents: readonly Resident[] = [
  residentOf('sender'),
  residentOf('driver', 'approved'),
  residentOf('pending', 'pending'),
  ...parse(senders),
  ...parse(drivers, 'approved'),
  ...parse(applicants, 'pending'),
  ...parse(rejectedDrivers, 'rejected'),
]
