import { type ComponentType, createContext } from 'react'

export type LoginHelpProps = { onUse: (login: { email: string; password: string }) => void }

/** A panel under the login form that can fill it in. The app has none; the demo provides one. */
export const LoginHelpContext = createContext<ComponentType<LoginHelpProps> | undefined>(undefined)
