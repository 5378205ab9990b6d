import { type Plugin, parseSync } from 'vite'

/*
 * A trick: React DOM contains two features that this app never uses and that no import leaves out: taking over a
 * page which a server has rendered (`hydrateRoot`), and `<ViewTransition>`. Both hang on a few tests at run time
 * whose answer is known here, so this answers them, and the build leaves out what can no longer be reached (3 kB,
 * brotli). A React DOM that is written otherwise is built as it is, with a warning.
 */

/** The number of a `<ViewTransition>` among the kinds of React's nodes. */
const viewTransition = 30

/** What the code asks, and the answer where nothing is hydrated and nothing is a view transition. */
const answers: [question: RegExp, answer: string][] = [
  [/^exports\.hydrateRoot = function [\s\S]*?^\};$/gm, ''],
  // Nothing is ever being hydrated: no line may say so.
  [/\(isHydrating = !0\)/g, '0'],
  [/^\s*isHydrating = ![01];$/gm, ''],
  [/\bhydrationParentFiber = (?!null\b)[^,;)]+/g, '0'],
  [/[\w.]+\.isDehydrated\b(?! = )/g, '!1'],
  // The content of a `<Suspense>` that the server would have rendered.
  [/[\w.]+\.dehydrated\b(?! = )/g, 'null'],
  [/\b30 === [\w.]+/g, '!1'],
  [/\bshouldStartViewTransition(?=\s+\? )/g, '!1'],
]

/** How many of those places the code has. */
export const placesToAnswer = (code: string): number =>
  answers.filter(([question]) => code.search(question) >= 0).length

/** The code without hydration and view transitions. */
export const withoutUnused = (code: string): string =>
  withoutViewTransitions(
    answers.reduce((text, [question, answer]) => text.replace(question, answer), code),
  )

type Node = { type: string; start: number; end: number; [property: string]: unknown }
type Case = Node & { test?: { value?: unknown } | null; consequent: Node[] }

/** Without each `case 30:` that no other case falls into and that falls into none. */
function withoutViewTransitions(code: string): string {
  const found: Case[] = []
  walk(parseSync('react-dom.js', code).program as unknown as Node, (node) => {
    if (node.type !== 'SwitchStatement') return
    const cases = node.cases as Case[]
    cases.forEach((each, at) => {
      const before = cases[at - 1]
      if (each.test?.value !== viewTransition) return
      if ((!before || ends(before)) && (ends(each) || at === cases.length - 1)) found.push(each)
    })
  })
  return found
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), code)
}

/** Whether the code after this case is not run as well. */
const ends = ({ consequent }: Case): boolean =>
  /^(Break|Return|Throw|Continue)Statement$/.test(consequent.at(-1)?.type ?? '')

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object' && 'type' in child) walk(child as Node, visit)
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
