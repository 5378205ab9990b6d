import { product } from '../product.ts'

/**
 * Characters that show nothing or change how others are shown: controls, formats (right-to-left overrides, joiners),
 * fillers, blanks, and codes that are no character.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether a text holds a character that nobody sees (R152). */
export const hasUnseen = (text: string): boolean => unseen.test(text)

/** What is wrong with a name that somebody gives a person; `undefined` when it can be taken (R152). */
export function nameProblem(name: string): string | undefined {
  if (hasUnseen(name)) return 'A name cannot have characters that are not seen.'
  if (imitatesService(name)) return 'This name looks like our own. Please use the name of a person.'
  return undefined
}

/** Letters of other scripts, and signs, that look like a Latin one. */
const lookalikes = new Map(
  Object.entries({
    a: 'аαᴀɑ@4',
    c: 'сϲᴄ',
    d: 'ԁᴅ',
    e: 'еεɛᴇ3',
    f: 'ꜰ',
    h: 'һʜ',
    i: 'іїιıɪ1!|',
    m: 'мμᴍ',
    n: 'ոɴη',
    o: 'оοɔᴏօ0',
    p: 'рρᴘ',
    r: 'гʀ',
    s: 'ѕσꜱς5$',
    t: 'тτᴛ',
    u: 'υսᴜ',
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
)

/** Words by which a service names its people. `claims`: those that say so alone. */
const claims = ['support', 'administrator', 'admin', 'moderator', 'helpdesk', 'official']
const offices = [
  ...claims,
  'customer',
  'service',
  'care',
  'help',
  'desk',
  'team',
  'office',
  'staff',
]
const ours = product.toLowerCase()
const words = [ours, ...offices].join('|')
const onlyWords = new RegExp(`^(?:${words})+$`)
const eachWord = new RegExp(words, 'g')

/** The service's words that a text is made of; none when it holds anything else. */
const wordsOf = (text: string): string[] =>
  onlyWords.test(text) ? (text.match(eachWord) ?? []) : []

/** Whether a name reads as the service, its support or its admins, in letters that only look alike too. */
function imitatesService(name: string): boolean {
  const plain = [...name.normalize('NFKD').toLowerCase()]
    .map((sign) => lookalikes.get(sign) ?? sign)
    .join('')
    .replace(/\p{M}/gu, '')
  const whole = wordsOf(plain.replace(/[^\p{L}]/gu, ''))
  if (whole.some((word) => word === ours || claims.includes(word))) return true
  const parts = plain.split(/[^\p{L}]+/u).flatMap(wordsOf)
  return parts.includes(ours) && parts.some((word) => word !== ours)
}
