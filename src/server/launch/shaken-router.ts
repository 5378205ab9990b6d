import type { Plugin } from 'vite'

/*
 * A trick: React Router does not mark what it makes at its top level as free of side effects, and its
 * links and routes ask at run time whether a data router or a framework stands around them. Both keep
 * unused parts in the first page (4 kB, brotli). This marks the one and answers the other: the app has
 * a plain `BrowserRouter`. A version of the router that is written otherwise is built as it is, with a
 * warning.
 */

const displayName = /^\w+\.(displayName|contextType) = ("[^"]*"|RSCRouterContext);$/gm
const topLevel = /= (React\d*\.(forwardRef|memo|createContext)\()/g
/** A class with a static member, or that extends a property, counts as a side effect. */
const component = /^var (\w+) = (class extends React\d*\.Component \{$[\s\S]*?^\});$/gm

/** The router's code with its top level marked as pure. */
export const markPure = (code: string): string =>
  code
    .replace(displayName, '')
    .replace(topLevel, '= /* @__PURE__ */ $1')
    .replace(component, 'var $1 = /* @__PURE__ */ (() => $2)();')

/** What a plain `BrowserRouter` answers at run time, in each place where the code asks. */
const answers: [question: RegExp, answer: string][] = [
  // A link is told to load a page ahead only by the framework.
  [/usePrefetchBehavior\(\s*prefetch,\s*rest\s*\);/, '[false, null, {}];'],
  [/return shouldPrefetch && !isAbsolute \? .*(?= link;)/, 'return'],
  [/let dataRouterState = dataRouterOpts\?\.state;/, 'const dataRouterState = void 0;'],
  [/return isDataRoute \? useNavigateStable\(\) : (?=useNavigateUnstable\(\);)/, 'return '],
  [
    /let routerState = React\d*\.useContext\(DataRouterStateContext\);(?=\s+let \{ navigator, basename \})/,
    'const routerState = null;',
  ],
]

/** The router's code without what only a data router or the framework uses. */
export const withoutDataRouter = (code: string): string =>
  answers.reduce((text, [question, answer]) => text.replace(question, answer), code)

/** How many of those places the code has. */
const placesToAnswer = (code: string): number =>
  answers.filter(([question]) => question.test(code)).length

/** Leaves unused parts of React Router out of the build. */
export function shakenRouter(): Plugin {
  let marked = false
  let answered = 0
  return {
    name: 'soma:shaken-router',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/react-router\// },
      handler: (code) => {
        const pure = markPure(code)
        marked ||= pure !== code
        answered += placesToAnswer(code)
        return { code: withoutDataRouter(pure), map: null }
      },
    },
    buildEnd(error) {
      if (!error && !(marked && answered === answers.length))
        this.warn('React Router is no longer made smaller: see shaken-router.ts')
    },
  }
}
