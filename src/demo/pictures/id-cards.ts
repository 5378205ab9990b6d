import type { IdType } from '#domain/users/driver.ts'
import { type Appearance, portrait } from './faces.ts'

/** The data on an ID card. Times are ISO 8601. */
type IdCardData = {
  type: IdType
  number: string
  name: string
  born: string
  issued: string
  look: Appearance
  woman: boolean
}

/** A drawn ID card as a whole SVG. Every card is marked SPECIMEN, so nobody takes it for a real one. */
export const idCard = (data: IdCardData): string =>
  data.type === 'passport' ? passport(data) : ghanaCard(data)

/** A valid number for this type of card. `digits` returns a text of so many digits. */
export const idNumber = (type: IdType, digits: (length: number) => string): string =>
  type === 'passport' ? `G${digits(7)}` : `GHA-${digits(9)}-${digits(1)}`

const ghanaCard = (data: IdCardData) => {
  const [last, first] = names(data)
  return card(
    '#eef3dc',
    '#c9a227',
    [
      flag(16, 14),
      textElement(210, 26, 11, 'ECOWAS IDENTITY CARD', '#0b6b45', 'middle" font-weight="700'),
      textElement(210, 41, 9, 'REPUBLIC OF GHANA', '#7a5c10', 'middle'),
      '<circle cx="368" cy="28" r="14" fill="#0b6b45"/><path fill="#f4b731" d="M368 17l3 8h9l-7 5 3 9-8-6-8 6 3-9-7-5h9z"/>',
      '<rect x="16" y="92" width="26" height="20" rx="4" fill="#d9b54a"/><path fill="none" stroke="#8a6b14" d="M16 99h9v7h-9m26-7h-9v7h9M25 92v20m8-20v20"/>',
      photo(50, 62, 1.12, data),
      field(180, 70, 'Surname', last),
      field(180, 98, 'Firstnames', first),
      field(180, 126, 'Nationality', 'GHANAIAN'),
      field(290, 126, 'Sex', data.woman ? 'F' : 'M'),
      field(180, 154, 'Date of Birth', formatDate(data.born)),
      field(290, 154, 'Date of Expiry', formatDate(data.issued, 10)),
      field(180, 182, 'Personal ID Number', data.number),
      '<path fill="#ce1126" d="M0 222h400v10H0z"/><path fill="#fcd116" d="M0 232h400v10H0z"/><path fill="#006b3f" d="M0 242h400v10H0z"/>',
    ].join(''),
  )
}

const passport = (data: IdCardData) => {
  const [last, first] = names(data)
  const line = (text: string) => text.replaceAll(/[ -]/g, '<').padEnd(44, '<').slice(0, 44)
  const coded = (text: string, y: number) =>
    `<text x="16" y="${y}" font-family="monospace" font-size="13" textLength="368" lengthAdjust="spacingAndGlyphs">${line(text).replaceAll('<', '&lt;')}</text>`
  const sex = data.woman ? 'F' : 'M'
  const short = (time: string, years = 0) => {
    const [d = '', m = '', y = ''] = formatDate(time, years).split('/')
    return `${y.slice(2)}${m}${d}`
  }
  return card(
    '#e7efe6',
    '#2f8f68',
    [
      textElement(16, 26, 13, 'REPUBLIC OF GHANA', '#0b4a30', 'start" font-weight="700'),
      textElement(16, 41, 9, 'PASSPORT · ECOWAS', '#0b4a30'),
      flag(340, 14),
      photo(16, 58, 1.2, data),
      field(152, 62, 'Type', 'P'),
      field(200, 62, 'Country code', 'GHA'),
      field(290, 62, 'Passport No.', data.number),
      field(152, 90, 'Surname', last),
      field(152, 118, 'Given names', first),
      field(152, 146, 'Date of birth', formatDate(data.born)),
      field(290, 146, 'Sex', sex),
      field(152, 174, 'Date of issue', formatDate(data.issued)),
      field(290, 174, 'Date of expiry', formatDate(data.issued, 10)),
      '<path fill="#fff" opacity=".7" d="M0 200h400v52H0z"/>',
      coded(`P<GHA${last.replaceAll(/[ -]/g, '<')}<<${first}`, 221),
      coded(`${data.number}<0GHA${short(data.born)}0${sex}${short(data.issued, 10)}0`, 240),
    ].join(''),
  )
}

/** `lines`: the colour of the fine waves in the background. */
const card = (ground: string, lines: string, drawing: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="504" viewBox="0 0 400 252" font-family="Arial,Helvetica,sans-serif"><defs><clipPath id="c"><rect width="400" height="252" rx="14"/></clipPath><pattern id="w" width="40" height="10" patternUnits="userSpaceOnUse"><path fill="none" stroke="${lines}" stroke-width=".7" opacity=".55" d="M0 5c10-9 10-9 20 0s10 9 20 0M0 0c10 9 10 9 20 0s10-9 20 0"/></pattern></defs><g clip-path="url(#c)"><path fill="${ground}" d="M0 0h400v252H0z"/><path fill="url(#w)" d="M0 0h400v252H0z"/><circle cx="300" cy="140" r="70" fill="none" stroke="${lines}" stroke-width="16" stroke-dasharray="1.500 3" opacity=".4"/>${drawing}<text x="206" y="150" transform="rotate(-22 206 150)" text-anchor="middle" font-size="44" font-weight="700" letter-spacing="6" fill="#b03c18" opacity=".2">SPECIMEN</text></g></svg>`

const flag = (x: number, y: number) =>
  `<g transform="translate(${x} ${y})"><path fill="#ce1126" d="M0 0h44v10H0z"/><path fill="#fcd116" d="M0 10h44v10H0z"/><path fill="#006b3f" d="M0 20h44v10H0z"/><path d="M22 9l1.500 4.300h4.500l-3.600 2.800 1.400 4.400-3.800-2.700-3.800 2.700 1.400-4.400-3.600-2.800h4.500z"/></g>`

const photo = (x: number, y: number, scale: number, { look }: IdCardData) =>
  `<svg x="${x}" y="${y}" width="${100 * scale}" height="${116 * scale}" viewBox="7 0 86 100" preserveAspectRatio="xMidYMid slice">${portrait(look)}</svg>`

const field = (x: number, y: number, label: string, value: string) =>
  textElement(x, y, 7.5, label, '#5a6a60') +
  textElement(x, y + 13, 12.5, value.toUpperCase(), '#14201a', 'start" font-weight="700')

const textElement = (
  x: number,
  y: number,
  size: number,
  text: string,
  colour: string,
  anchor = 'start',
) =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}" text-anchor="${anchor}">${text}</text>`

function names({ name }: IdCardData): [string, string] {
  const cut = name.lastIndexOf(' ')
  return [name.slice(cut + 1).toUpperCase(), name.slice(0, cut).toUpperCase()]
}

/** `21/11/2026` */
function formatDate(time: string, years = 0): string {
  const [year = '', month, date] = time.slice(0, 10).split('-')
  return `${date}/${month}/${Number(year) + years}`
}
