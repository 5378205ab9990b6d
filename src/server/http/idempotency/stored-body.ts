/** What is left out of a body that is too large, in this order: entries of lists, then ends of texts. */
const steps: Cut[] = [
  { lists: ['history', 'incidents'], newest: 10, characters: Number.POSITIVE_INFINITY },
  { lists: ['history', 'incidents'], newest: 3, characters: Number.POSITIVE_INFINITY },
  { lists: 'all', newest: 10, characters: Number.POSITIVE_INFINITY },
  { lists: 'all', newest: 3, characters: 500 },
  { lists: 'all', newest: 1, characters: 200 },
  { lists: 'all', newest: 1, characters: 100 },
]
type Cut = {
  /** The properties whose arrays are cut. */
  lists: readonly string[] | 'all'
  newest: number
  /** Of each text. */
  characters: number
}

/** The JSON of a response as it is stored: whole, or without what makes it larger than `most` bytes (R141). */
export function storedBody(body: object, most: number): string {
  let text = JSON.stringify(body)
  for (const step of steps) {
    if (fits(text, most)) return text
    text = JSON.stringify(cut(body, step))
  }
  return text
}

// A character has at most three bytes, so short texts need no encoding.
const fits = (text: string, most: number) =>
  text.length * 3 <= most || new TextEncoder().encode(text).length <= most

function cut(value: unknown, step: Cut, name = ''): unknown {
  if (typeof value === 'string') return beginning(value, step.characters)
  if (Array.isArray(value)) {
    const isCut = step.lists === 'all' || step.lists.includes(name)
    return (isCut ? value.slice(-step.newest) : value).map((each) => cut(each, step))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cut(each, step, key)]))
}

/** Without half of a surrogate pair at its end. */
const beginning = (text: string, characters: number) =>
  text.length <= characters ? text : text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')
