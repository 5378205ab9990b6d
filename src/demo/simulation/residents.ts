import type { DriverStatus } from '#domain/user.ts'
import type { Hair, Look } from '../pictures/faces.ts'
import { characters, emailOf, personId } from './personas.ts'

/** Somebody of the city: as an account, and how they look. */
export type Townsperson = {
  id: string
  name: string
  email: string
  phone: string
  look: Look
  woman: boolean
  /** Drivers only. */
  drives?: DriverStatus
}

/*
 * `Name hair skin wear`, for a man with a capital hair letter. From every region, with day names
 * where people go by them.
 */
const senders =
  'Adwoa Serwaa Asante w12,Kwabena Ofori F20,Efua Essuman b14,Nii Armah Tagoe L31,Dzifa Attipoe a25,Rahinatu Yakubu v30,Ekow Aidoo F46,Ama Konadu Osei n01,Selorm Agbeko F35,Araba Sam b17,Kwaku Gyamfi P22,Naa Korkor Ankrah w23,Memunatu Salifu v12,Yayra Dzokoto a34,Ayinpoka Atanga w40,Kofi Nyarko F13,Akua Twumasi b20,Vida Yelpaala a47,Maame Yaa Appiah w05,Blay Ackah F26,Dede Nartey n11,Abena Frimpomaa b33,Kojo Ansah E10,Sena Amegashie b21'
const drivers =
  'Kwame Owusu F31,Tetteh Narh L20,Abdul-Rahman Iddrisu S43,Edem Kpodo F14,Awinbono Aduko S36,Nii Okai Quartey P22,Kwesi Arthur E32,Elikem Gbeho F05,Bayor Domapielle S27,Akosua Darkoa Amponsah b24,Ebo Eshun L41'
const applicants = 'Mawuli Kafui Tamakloe F12,Issah Dawuni K33,Kwadwo Antwi L20,Dela Agbodza b15'
const refused = 'Yaw Preko Sarfo F23,Teye Ocansey P30'
/** Whoever may apply to drive while the demo runs. */
const newcomers =
  'Kobina Otoo F21,Salamatu Fuseini v36,Nana Ama Agyeman b10,Kwao Tettey L34,Atampugre Ayamga S42,Gifty Kuusaana a23,Papa Kow Mills F15,Enyonam Afenyo b37,Mohammed Baba K41,Osei Kwadwo Bonsu E26,Naa Ayele Laryea n12,Komla Sosu F30'

const hairs: Record<string, Hair> = {
  ...{ F: 'fade', L: 'flat', P: 'bald', E: 'grey', S: 'smock', K: 'kufi' },
  ...{ a: 'afro', b: 'braids', n: 'bun', w: 'wrap', v: 'veil' },
}

const prefixes = ['024', '054', '055', '059', '020', '050', '026', '027']

let place = 10
const read = (list: string, drives?: DriverStatus): Townsperson[] =>
  list.split(',').map((entry) => {
    const at = place++
    const name = entry.slice(0, -4)
    const [hair = '', skin, wear] = entry.slice(-3)
    const man = hair < 'a'
    const more: Look['more'] =
      man && hair !== 'E' && at % 3 === 0 ? ['beard'] : at % 5 === 0 ? ['glasses'] : []
    return {
      ...{ id: personId(at), name, email: emailOf(name), woman: !man },
      phone: `${prefixes[at % prefixes.length]}000${String((at * 2_741) % 10_000).padStart(4, '0')}`,
      look: { hair: hairs[hair] ?? 'fade', skin: Number(skin), wear: Number(wear), more },
      ...(drives && { drives }),
    }
  })

const character = (key: 'sender' | 'driver' | 'pending', drives?: DriverStatus): Townsperson => ({
  ...characters[key],
  ...{ woman: key === 'sender', ...(drives && { drives }) },
})

/** Everybody who has an account when the demo begins, but the admin. */
export const townspeople: readonly Townsperson[] = [
  character('sender'),
  character('driver', 'approved'),
  character('pending', 'pending'),
  ...read(senders),
  ...read(drivers, 'approved'),
  ...read(applicants, 'pending'),
  ...read(refused, 'rejected'),
]

export const applicantsToCome: readonly Townsperson[] = read(newcomers, 'pending')
