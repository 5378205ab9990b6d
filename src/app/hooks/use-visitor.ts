import { createContext, useContext } from 'react'
import type { User } from '#domain/users/user.ts'
import type { Visitor } from '../paths.ts'

/** The person at this device. `expired`: logged in, but the server no longer accepts the token. */
export type VisitorState = {
  visitor: Visitor
  user: User | undefined
  /** Whose rows the screens show: the person's, or the guest's. */
  account: string
  expired: boolean
  /** Whether this phone knows of a delivery that they sent or drove. */
  hasDeliveries: boolean
  /** Whether something of theirs is under way on this phone. */
  hasLive: boolean
}

/** Provided by the shell once the session is loaded; no screen is drawn before. */
export const VisitorContext = createContext<VisitorState | undefined>(undefined)

export function useVisitor(): VisitorState {
  const who = useContext(VisitorContext)
  if (!who) throw new Error('useVisitor must be used within a VisitorContext')
  return who
}

/** Whether whoever is logged in is support, who decides nothing (R210). */
export const useIsSupport = (): boolean => useVisitor().user?.role === 'support'
