/** Hair, or what covers it. */
export type Hair = keyof typeof heads
/** How a person looks. `skin`: 0 to 4, light to dark. `outfit`: 0 to 7. */
export type Appearance = {
  hair: Hair
  skin: number
  outfit: number
  extras?: ('beard' | 'glasses')[]
}

/** A portrait as a whole SVG, 200 × 200. */
export const portraitSvg = (look: Appearance): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="0 0 100 100">${portrait(look)}</svg>`

/** A portrait as part of another drawing, on 100 × 100. */
export function portrait({ hair, skin, outfit, extras = [] }: Appearance): string {
  const [tone = '', shade = ''] = skins[skin % skins.length] ?? []
  const [wall = '', cloth = '', trim = ''] = outfits[outfit % outfits.length] ?? []
  const [behind, before] = heads[hair]
  const coloured = (drawing: string) => drawing.replaceAll('$t', trim).replaceAll('$c', cloth)
  return [
    `<path fill="${wall}" d="M0 0h100v100H0z"/>`,
    coloured(behind),
    `<path fill="${cloth}" d="M8 100c1-22 16-29 42-29s41 7 42 29z"/>`,
    `<path fill="none" stroke="${trim}" stroke-width="4" d="M35 73c2 9 9 13 15 13s13-4 15-13M50 86v14"/>`,
    `<path fill="${shade}" d="M41 58h18v14c0 5-4 9-9 9s-9-4-9-9z"/>`,
    `<path fill="${shade}" d="M29 42h42c2 0 3 9-1 10H30c-4-1-3-10-1-10z"/>`,
    `<path fill="${tone}" d="M31 38c0-14 8-20 19-20s19 6 19 20c0 16-8 30-19 30S31 54 31 38z"/>`,
    extras.includes('beard') ? beard : '',
    `<path fill="none" stroke="${shade}" stroke-width="2.500" stroke-linecap="round" d="M50 43c-1 4-3 7-3 8s3 1.500 5 .5"/>`,
    `<path fill="none" stroke="#1c1310" stroke-width="2" stroke-linecap="round" d="M38 37c2-2 5-2 7-1m10 0c2-1 5-1 7 1"/>`,
    `<path fill="#1c1310" d="M39.500 42a2.400 2.600 0 1 0 4.800 0 2.400 2.600 0 1 0-4.800 0m16.200 0a2.400 2.600 0 1 0 4.800 0 2.400 2.600 0 1 0-4.800 0"/>`,
    `<path fill="#fff" d="M42 56.500c5 1.500 11 1.500 16 0-1 4-4 6-8 6s-7-2-8-6z" stroke="#6d2a1e" stroke-width="1.600" stroke-linejoin="round"/>`,
    coloured(before),
    extras.includes('glasses') ? glasses : '',
  ].join('')
}

const skins = [
  ['#a06a42', '#87562f'],
  ['#8a5633', '#734524'],
  ['#754527', '#5f351b'],
  ['#613720', '#4d2915'],
  ['#4f2b19', '#3d1f10'],
]

/** The colours of wall, cloth and trim. */
const outfits = [
  ['#f4d58a', '#0b6b45', '#f4b731'],
  ['#bfe0cf', '#b9431f', '#f4b731'],
  ['#f3c9b4', '#14503a', '#fbf7ee'],
  ['#cfe5d9', '#23405c', '#f4b731'],
  ['#e9dcc0', '#7a2350', '#f0b7a0'],
  ['#c8d8e6', '#f4b731', '#b9431f'],
  ['#f7e3b0', '#2b3138', '#3dbe86'],
  ['#d8d3ea', '#fbf7ee', '#0b6b45'],
]

const dark = '#1d1512'
const cap = `<path fill="${dark}" d="M30 41c-3-19 7-27 20-27s23 8 20 27c-2-7-3-10-5-13-10 2-20 2-30 0-2 3-3 6-5 13z"/>`

/** What is drawn behind the head and before it. `$c` is the colour of the cloth, `$t` of its trim. */
const heads = {
  fade: ['', cap],
  bald: ['', ''],
  flat: [
    '',
    `<path fill="${dark}" d="M30 39c-2-14-1-22 3-25 10-2 24-2 34 0 4 3 5 11 3 25-1-6-3-9-5-11H35c-2 2-4 5-5 11z"/>`,
  ],
  grey: ['', cap.replace(dark, '#a7a29a')],
  afro: [
    `<path fill="${dark}" d="M50 4c20 0 32 15 30 33 0 13-9 22-17 23H37c-8-1-17-10-17-23C18 19 30 4 50 4z"/>`,
    `<path fill="${dark}" d="M30 38c-1-14 8-22 20-22s21 8 20 22c-3-8-9-12-20-12s-17 4-20 12z"/>`,
  ],
  braids: [
    `<path fill="${dark}" d="M50 9c18 0 27 13 26 31l4 42c-8 5-14 4-18 2H38c-4 2-10 3-18-2l4-42C23 22 32 9 50 9z"/>`,
    `<path fill="${dark}" d="M29 42c-2-19 8-28 21-28s23 9 21 28c-3-8-9-15-20-17-10 1-18 8-22 17z"/><path fill="none" stroke="#4a3328" stroke-width="1.500" d="M50 15v9M41 17l2 9m16-9l-2 9M33 23l3 8m31-8l-3 8M26 56l-1 24m5-22v24m44-26l1 24m-5-22v24"/>`,
  ],
  bun: [
    `<circle cx="50" cy="10" r="12" fill="${dark}"/>`,
    `${cap}<path stroke="$t" stroke-width="3" d="M41 18c6-2 12-2 18 0"/>`,
  ],
  wrap: [
    '',
    `<path fill="$c" d="M27 38c-5-22 6-34 25-33 20 1 27 14 21 33-7-9-13-12-23-12s-18 4-23 12z"/><path fill="$t" d="M62 10c6-9 18-9 20-3 2 5-6 10-14 9 8 2 12 8 8 11-5 3-14-5-16-13z"/><path fill="none" stroke="$t" stroke-width="3" d="M29 30c9-9 28-13 43-2M31 19c8-6 21-8 31-4"/>`,
  ],
  veil: [
    `<path fill="$c" d="M50 8c20 0 28 16 27 36 0 14 5 22 9 32H14c4-10 9-18 9-32C22 24 30 8 50 8z"/>`,
    `<path fill="$c" fill-rule="evenodd" d="M50 8c20 0 27 14 27 34 1 18-6 37-27 40-21-3-28-22-27-40C23 22 30 8 50 8zm0 14c-12 0-17 8-17 18 0 14 7 26 17 26s17-12 17-26c0-10-5-18-17-18z"/><path fill="none" stroke="$t" stroke-width="2" d="M31 40c0-13 7-20 19-20s19 7 19 20"/>`,
  ],
  kufi: [
    '',
    `<path fill="$t" d="M30 33c0-15 8-21 20-21s20 6 20 21c-12-5-28-5-40 0z"/><path fill="none" stroke="$c" stroke-width="3" stroke-dasharray="4 3" d="M31 29c12-5 26-5 38 0"/>`,
  ],
  smock: [
    '',
    `<path fill="#fbf7ee" d="M30 34c-2-12 2-19 12-21 2-8 16-11 24-5-4 1-6 4-5 7 7 3 11 9 9 19-12-5-28-5-40 0z"/><path fill="none" stroke="#23405c" stroke-width="3" d="M37 31l2-17m6 15l1-18m8 18l-1-16m9 18l-2-14"/>`,
  ],
} as const satisfies Record<string, readonly [string, string]>

const beard = `<path fill="${dark}" d="M31 44c2 6 4 8 8 9 3-2 19-2 22 0 4-1 6-3 8-9 1 16-8 26-19 26S30 60 31 44z"/>`
const glasses = `<path fill="#fff2" stroke="#120c0a" stroke-width="1.300" d="M35.500 42.500a6.200 6 0 1 0 12.400 0 6.200 6 0 1 0-12.400 0m16.600 0a6.200 6 0 1 0 12.400 0 6.200 6 0 1 0-12.400 0m-4.300-.5c1.500-1.200 3-1.200 4.300 0M35 41l-4-1m34 1l4-1"/>`
