import type { Plugin } from 'vite'

/** Marks what React Router makes at its top level as free of side effects: then the build leaves out what is unused. */
export const pureRouter = (): Plugin => ({
  name: 'soma:pure-router',
  apply: 'build',
  transform: {
    filter: { id: /node_modules\/react-router\// },
    handler: (code) => ({
      code: code
        .replace(/^\w+\.(displayName|contextType) = ("[^"]*"|RSCRouterContext);$/gm, '')
        .replace(/= (React\d*\.(forwardRef|memo|createContext)\()/g, '= /* @__PURE__ */ $1'),
      map: null,
    }),
  },
})
