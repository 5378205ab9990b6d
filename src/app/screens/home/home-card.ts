import { type ComponentType, createContext } from 'react'

/** A card below Home's heading. The app has none; the demo provides one. */
export const HomeCardContext = /* @__PURE__ */ createContext<ComponentType | undefined>(undefined)
