import { type ComponentType, createContext } from 'react'

export type LoginHelpProps = {
  /** Fills the login form in. */
  onFill: (credentials: { email: string; password: string }) => void
}

/** What stands below the login form. The app has nothing there; the demo shows its admin's password. */
export const LoginHelp = createContext<ComponentType<LoginHelpProps> | undefined>(undefined)
