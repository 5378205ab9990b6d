import type { defaultItems } from '#domain/choices.ts'

type Item = (typeof defaultItems)[number]
/**
 * `shape`: SVG on 240 × 240 whose ground is at about y = 205, with `$a`, `$b`, `$c` for colours.
 * `colours`: sets of three colours of three hexadecimal digits each, separated by spaces.
 */
type Drawing = { shape: string; colours: string }

const cardboard = 'c96a74fe9 b85964da6 db7b85eda c86a75f42'
const box = (more: string) =>
  `<path fill="#dfb27c" d="M120 76l76 26-76 30-76-30z"/><path fill="$a" d="M44 102l76 30v78l-76-32z"/><path fill="$b" d="M196 102l-76 30v78l76-32z"/>${more}`
const sized = (scale: number, shape: string) =>
  `<g transform="translate(${120 - 120 * scale} ${206 - 206 * scale}) scale(${scale})">${shape}</g>`

/** One drawing for each kind of item. */
export const drawings: Record<Item, Drawing> = {
  Documents: {
    shape: `<g transform="rotate(-7 120 120)"><path fill="#fffdf6" d="M76 52h88v110H76z"/><path stroke="#9aa39d" stroke-width="5" d="M90 72h60M90 88h60M90 104h40"/></g><path fill="$a" d="M50 106h140v98H50z"/><path fill="$b" d="M50 106l70 56 70-56z"/><path fill="none" stroke="#0002" stroke-width="3" d="M50 204l52-56m88 56l-52-56"/><circle cx="120" cy="158" r="13" fill="$c"/><path fill="none" stroke="#fff9" stroke-width="3" d="M114 158l5 5 8-9"/>`,
    colours: 'db6ca5b42 eedddc064 cb8b97f31 abb8a9b31',
  },
  'Small Box': {
    shape: sized(
      0.72,
      box(
        '<path fill="$c" d="M74 90l76 30v78l-14 6v-78L60 96zM150 92l14-6 18 8-76 30-14-6z" opacity=".9"/><path fill="$c" d="M112 88c-22-30-44-22-34-6 5 9 22 10 34 6zm0 0c6-34 34-34 32-16-2 10-18 16-32 16z"/>',
      ),
    ),
    colours: 'b31920fc3 064042fc3 fc3d92b31 246134fc3',
  },
  'Medium Box': {
    shape: sized(
      0.88,
      box(
        '<path fill="$c" d="M76 90l14-5 76 30-14 5zm76 30l14-5v22l-14 5z"/><path fill="#fbf7ee" d="M60 130l38 15v28l-38-16z"/><path stroke="#555" stroke-width="3" d="M66 140l26 10M66 148l16 7"/>',
      ),
    ),
    colours: cardboard,
  },
  'Large Box': {
    shape:
      '<path fill="#dfb27c" d="M120 34l80 28-80 32-80-32z"/><path fill="$a" d="M40 62l80 32v116l-80-34z"/><path fill="$b" d="M200 62l-80 32v116l80-34z"/><path fill="$c" d="M72 50l14-5 80 32-14 6zm80 33l14-6v116l-14 6z"/><path fill="none" stroke="#5a3a1c" stroke-width="5" d="M62 150v-34m-8 6l8-8 8 13m18 34v-34m-8 6l8-8 8 13M54 156l44 18"/>',
    colours: cardboard,
  },
  Laptop: {
    shape:
      '<path fill="#2b3138" d="M62 74h116a8 8 0 0 1 8 8v84H54V82a8 8 0 0 1 8-8z"/><path fill="$a" d="M64 84h112v72H64z"/><path fill="$b" d="M64 156l36-44 26 30 16-18 34 32z"/><circle cx="150" cy="104" r="11" fill="$c"/><path fill="#b9c1c6" d="M54 166h132l24 32H30z"/><path fill="#8d959c" d="M30 198h180v6a4 4 0 0 1-4 4H34a4 4 0 0 1-4-4z"/><path stroke="#4b545b" stroke-width="5" stroke-dasharray="10 4" d="M62 174h116M56 183h128"/><path fill="#9aa3a9" d="M102 189h36l3 8H99z"/>',
    colours: '6bc064fc3 246124f85 fb7b42fec 9cb385fff',
  },
  Phone: {
    shape:
      '<path fill="$b" d="M122 108h84v92h-84z"/><path fill="#fff3" d="M122 108h84v12h-84z"/><circle cx="164" cy="158" r="13" fill="none" stroke="#fff6" stroke-width="6"/><g transform="rotate(-9 92 130)"><rect x="54" y="50" width="80" height="156" rx="14" fill="#1b2126"/><rect x="60" y="60" width="68" height="134" rx="6" fill="$a"/><path fill="$b" d="M60 150c24-30 40 6 68-22v60a6 6 0 0 1-6 6H66a6 6 0 0 1-6-6z"/><path stroke="#fff" stroke-width="6" stroke-linecap="round" d="M80 86h28"/><path stroke="#fff9" stroke-width="4" stroke-linecap="round" d="M84 100h20"/><circle cx="94" cy="55" r="2" fill="#5b666d"/></g>',
    colours: '3b8064fc3 fc3b42fff 79c246fff e97934fff',
  },
  Groceries: {
    // A basket as woven in Bolgatanga.
    shape:
      '<path fill="none" stroke="#7a4d2a" stroke-width="8" d="M58 132C62 44 178 44 182 132"/><path fill="#4c8b3f" d="M150 130c-6-34 4-52 30-60-2 12 2 20-6 30 8 6 4 20-4 30zm-18 2c-10-26-8-44 8-60 6 16 12 34 8 60z"/><circle cx="82" cy="116" r="21" fill="#c5402a"/><circle cx="114" cy="108" r="23" fill="#d8542f"/><path fill="#f0b429" d="M96 132c-4-30 16-54 46-58-12 12-18 32-14 58z"/><path stroke="#3f7a35" stroke-width="4" d="M82 98l-4-7m36-3l3-7"/><path fill="$a" d="M40 126h160c0 46-24 80-50 80H90c-26 0-50-34-50-80z"/><path fill="$b" d="M43 142h154l-5 16H48z"/><path fill="$c" d="M54 172h132l-9 14H63z"/><path fill="none" stroke="#0002" stroke-width="3" d="M68 126l18 80m34-80v80m52-80l-18 80"/><path fill="none" stroke="#7a4d2a" stroke-width="7" stroke-linecap="round" d="M40 126h160"/>',
    colours: 'db6b31064 c96246fc3 eb5064b31 da5723246',
  },
  Clothing: {
    // Three folded cloths.
    shape:
      '<rect x="42" y="162" width="156" height="44" rx="16" fill="$a"/><rect x="48" y="118" width="146" height="46" rx="16" fill="$b"/><rect x="44" y="76" width="150" height="44" rx="16" fill="$c"/><path stroke="$b" stroke-width="9" stroke-dasharray="14 10" d="M62 90h120M70 106h112"/><path stroke="#14201a" stroke-width="6" stroke-dasharray="6 18" d="M70 98h112"/><path fill="none" stroke="$c" stroke-width="7" d="M64 132l14 16 14-16 14 16 14-16 14 16 14-16 14 16 14-16"/><path stroke="#fff9" stroke-width="9" stroke-linecap="round" stroke-dasharray="1 19" d="M66 176h118M76 192h108"/><path fill="#0002" d="M44 98c0 12 6 20 16 22h118c10-2 16-10 16-22v22H44z"/>',
    colours: '064fc3b31 246eb5d75 723fda064 b31064fc3',
  },
  Food: {
    shape:
      '<path fill="none" stroke="#fff" opacity=".75" stroke-width="7" stroke-linecap="round" d="M92 78c-12-16 12-22 0-40m30 36c-12-16 12-22 0-40m30 44c-12-16 12-22 0-40"/><path fill="$a" d="M56 132c8-44 36-52 66-52s56 10 64 52z"/><path fill="#fff6d8" d="M128 112c0-16 12-26 24-26s22 10 20 28z"/><circle cx="150" cy="104" r="9" fill="#f4b731"/><path stroke="$c" stroke-width="7" stroke-linecap="round" d="M78 116l10-6m14 2l8-10m-2 26l12-4"/><path fill="none" stroke="#8a4a12" stroke-width="3" stroke-linecap="round" stroke-dasharray="1 13" d="M72 124h50M84 98h40"/><path fill="$b" d="M34 130h172c0 48-32 78-62 78H96c-30 0-62-30-62-78z"/><path fill="#0003" d="M42 158h156l-7 14H49z"/><path fill="none" stroke="#fff5" stroke-width="5" stroke-dasharray="10 8" d="M46 148h148"/>',
    colours: 'e734214a4 e9542195a d42531f85 eb4246b31',
  },
  Medication: {
    shape:
      '<path fill="$a" d="M82 88h64v110a8 8 0 0 1-8 8H90a8 8 0 0 1-8-8z"/><rect x="76" y="58" width="76" height="32" rx="7" fill="$b"/><path stroke="#0002" stroke-width="4" d="M90 62v24m12-24v24m12-24v24m12-24v24m12-24v24"/><path fill="#fffdf6" d="M82 112h64v66H82z"/><path stroke="$c" stroke-width="14" d="M114 120v50m-25-25h50"/><g transform="rotate(8 182 180)"><rect x="154" y="158" width="60" height="44" rx="6" fill="#d5dbdd"/><path stroke="$b" stroke-width="13" stroke-linecap="round" stroke-dasharray=".1 19" d="M165 170h40M165 190h40"/></g>',
    colours: 'e84064b31 def246b31 9cb085c42 fc8b42064',
  },
  Keys: {
    shape:
      '<circle cx="112" cy="92" r="34" fill="none" stroke="#8d959c" stroke-width="8"/><path fill="$a" d="M86 112l16 14-30 74-26-18z"/><path stroke="$b" stroke-width="7" d="M84 130l14 10M74 146l16 11m-26 5l16 11"/><g fill="none" stroke="$c" stroke-width="11" stroke-linecap="round" stroke-linejoin="round"><circle cx="136" cy="132" r="15"/><path d="M144 145l34 54m-8-13l13-8m-22-6l13-8"/></g><g fill="none" stroke="#c9d0d4" stroke-width="10" stroke-linecap="round"><circle cx="158" cy="114" r="13"/><path d="M168 123l42 36m-11-9l9-10m-19 1l9-10"/></g>',
    colours: '064fc3da3 b31fc3b85 246f85da3 723fdac93',
  },
  Other: {
    // A bundle: what does not fit into a box is tied into a cloth.
    shape:
      '<path fill="$a" d="M120 96c42 0 84 34 84 74 0 26-24 36-84 36s-84-10-84-36c0-40 42-74 84-74z"/><path fill="$b" d="M120 100c-6-26-36-44-56-38 2 22 26 38 56 38zm0 0c6-28 34-48 58-42-4 22-28 40-58 42z"/><path fill="$c" d="M106 92h28l8 18H98z"/><path fill="none" stroke="$c" stroke-width="6" d="M104 112c-20 22-34 50-36 84m68-84c20 22 34 50 36 84M120 114v92"/><path stroke="#fffa" stroke-width="11" stroke-linecap="round" stroke-dasharray=".1 34" d="M58 172h136M76 146h100"/>',
    colours: 'b31922fc3 246135f85 064153fda d83b62723',
  },
}
