import type { Plugin } from 'vite'

/*
 * A trick: React Router does not mark what it makes at its top level as free of side effects, so that
 * its unused parts stay in the first page (1.1 kB, brotli). This marks it. A version of the router that
 * is written otherwise is built as it is, with a warning.
 */

const displayName = /^\w+\.displayName = "[^"]*";$/gm
const topLevel = /= (React\d*\.(forwardRef|memo|createContext)\()/g

/** The router's code with its top level marked as pure. */
export const markPure = (code: string): string =>
  code.replace(displayName, '').replace(topLevel, '= /* @__PURE__ */ $1')

/** Leaves unused parts of React Router out of the build. */
export function shakenRouter(): Plugin {
  let marked = false
  return {
    name: 'soma:shaken-router',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/react-router\// },
      handler: (code) => {
        const pure = markPure(code)
        marked ||= pure !== code
        return { code: pure, map: null }
      },
    },
    buildEnd(error) {
      if (!error && !marked)
        this.warn('React Router is no longer made smaller: see shaken-router.ts')
    },
  }
}
