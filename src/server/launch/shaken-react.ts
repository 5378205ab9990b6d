import { type Plugin, parseSync } from 'vite'

/*
 * A trick: React DOM contains features that this app never uses and that no import leaves out: taking over a page
 * which a server has rendered (`hydrateRoot`), `<ViewTransition>`, `<Activity>`, and moving `<link>`, `<style>` and
 * `<title>` to the head. Each hangs on a few tests at run time whose answer is known here, so this answers them,
 * and the build leaves out what can no longer be reached (8 kB, brotli). Only the kinds of React's nodes that are
 * named below are lost: a `<link>` becomes an element like any other. A React DOM that is written otherwise is
 * built as it is, with a warning.
 */

/** Numbers of kinds of nodes that never occur: hoisted elements, the page itself, `<ViewTransition>`, `<Activity>`. */
const unusedKinds: unknown[] = [26, 27, 30, 31]

/** What the code asks, and the answer here. */
const answers: [question: RegExp, answer: string][] = [
  [/^exports\.hydrateRoot = function [\s\S]*?^\};$/gm, ''],
  // Nothing is ever being hydrated: no line may say so.
  [/\(isHydrating = !0\)/g, '0'],
  [/^\s*isHydrating = ![01];$/gm, ''],
  [/\bhydrationParentFiber = (?!null\b)[^,;)]+/g, '0'],
  [/[\w.$]+\.isDehydrated\b(?! = )/g, '!1'],
  // The content of a `<Suspense>` that the server would have rendered.
  [/[\w.$]+\.dehydrated\b(?! = )/g, 'null'],
  [/\bshouldStartViewTransition(?=\s+\? )/g, '!1'],
  // Every element stays where it is written.
  [/isHostHoistableType\(\s*type,[\s\S]*?\)\s*\? 26\s*: [\s\S]*?\? 27\s*: 5/g, '5'],
  // Functions that load files ahead: nobody calls them.
  [
    /ReactDOMSharedInternals\.d = \{\s*f: (\w+),\s*r: (\w+),\s*D: [\s\S]*?\}/g,
    'ReactDOMSharedInternals.d = { ...ReactDOMSharedInternals.d, f: $1, r: $2 }',
  ],
]

/** How many of those places the code has. */
const placesToAnswer = (code: string): number =>
  answers.filter(([question]) => code.search(question) >= 0).length

/** The code without what is never used. */
export const withoutUnused = (code: string): string =>
  withoutUnusedKinds(
    answers.reduce((text, [question, answer]) => text.replace(question, answer), code),
  )

type Node = { type: string; start: number; end: number; [property: string]: unknown }
type Case = Node & { test?: { value?: unknown } | null; consequent: Node[] }
type Change = { start: number; end: number; text: string }

/** Without the cases of unused kinds, and with the answer in place of each question for one. */
function withoutUnusedKinds(code: string): string {
  const changes: Change[] = []
  walk(parseSync('react-dom.js', code).program as unknown as Node, (node, body) => {
    if (node.type === 'SwitchStatement' && isKind(code, node.discriminant as Node)) {
      const unused = unusedCases(node.cases as Case[])
      changes.push(...unused.map(({ start, end }) => ({ start, end, text: '' })))
      // A `var` of theirs is one of the whole function, where other cases use it as well.
      const names = unused.flatMap(variablesIn)
      const start = (body?.start ?? 0) + 1
      if (names.length > 0) changes.push({ start, end: start, text: `var ${names.join(', ')};` })
    }
    const answer = node.type === 'BinaryExpression' && answerTo(node)
    if (answer) changes.push({ start: node.start, end: node.end, text: answer })
  })
  return changes
    .sort((a, b) => b.start - a.start)
    .filter((change, at, all) => !all.some((other, i) => i !== at && contains(other, change)))
    .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), code)
}

const isKind = (code: string, { start, end }: Node) => code.slice(start, end).endsWith('.tag')

/** A case goes where nothing runs into it; a bare label goes in any case. */
function unusedCases(cases: Case[]): Case[] {
  const unused: Case[] = []
  let isRunInto = false
  for (const each of cases) {
    const isUnused = unusedKinds.includes(each.test?.value)
    if (isUnused && (!isRunInto || each.consequent.length === 0)) unused.push(each)
    else isRunInto = !ends(each.consequent)
  }
  return unused
}

/** The names that are declared here with `var`, of no function inside. */
function variablesIn(node: Node): string[] {
  const names: string[] = []
  walk(node, (inner, body) => {
    if (inner.type !== 'VariableDeclarator' || body) return
    names.push((inner.id as { name: string }).name)
  })
  return names
}

/** Whether the case after these statements is not run as well. */
const ends = (statements: Node[]): boolean =>
  /^(Break|Return|Throw|Continue)Statement$/.test(statements.at(-1)?.type ?? '')

/** Of `26 === node.tag` and the like. */
function answerTo({ left, operator }: Node): string | undefined {
  if (!unusedKinds.includes((left as { value?: unknown }).value)) return undefined
  return operator === '===' ? '!1' : operator === '!==' ? '!0' : undefined
}

/** Whether a change lies inside another one, which removes it. */
const contains = (outer: Change, inner: Change) =>
  outer.end > outer.start && outer.start <= inner.start && inner.end <= outer.end

/** Visits each node; `body`: of the function it stands in. */
function walk(node: Node, visit: (node: Node, body?: Node) => void, body?: Node): void {
  visit(node, body)
  const isFunction = /^(Function|ArrowFunction)/.test(node.type)
  const within = isFunction ? (node.body as Node) : body
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object' && 'type' in child) walk(child as Node, visit, within)
}

/** Leaves unused parts of React DOM out of the build. */
export function shakenReact(): Plugin {
  let answered = 0
  return {
    name: 'soma:shaken-react',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/react-dom\/cjs\/react-dom-client\.production\.js/ },
      handler: (code) => {
        answered += placesToAnswer(code)
        return { code: withoutUnused(code), map: null }
      },
    },
    buildEnd(error) {
      if (!error && answered !== answers.length)
        this.warn('React DOM is no longer made smaller: see shaken-react.ts')
    },
  }
}
