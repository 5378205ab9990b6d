import { createContext, useContext } from 'react'
import { create } from 'zustand'
import type { SendDraft } from '#domain/draft.ts'

/** Somebody the visitor can be. */
export type PersonaOption = {
  key: PlayerKey
  name: string
  /** `Sender`, `Approved driver` … */
  role: string
  /** What they are here, in a few words. */
  about: string
  /** Address of their portrait. */
  face: string
}
export type PlayerKey = 'guest' | 'sender' | 'driver' | 'pending' | 'admin'

export type Sky = 'fine' | 'slow' | 'lossy' | 'off'

/** An SMS as it arrived; `whose`: the character with that number, when it is one of theirs. */
export type ReceivedText = { id: number; to: string; text: string; at: number; owner?: string }

/** What the demo's frame can do around the app; `src/demo/` brings it. */
export type DemoControls = {
  personas: readonly PersonaOption[]
  /** The seeded admin (interfaces: shown on `/auth`). */
  admin: { email: string; password: string }
  /** `parcel`: lies ready in their Send form, with a picture drawn for it. */
  switchPersona: (key: PlayerKey, path?: string, parcel?: Partial<SendDraft>) => Promise<void>
  setNetwork: (sky: Sky) => void
  /** Deletes everything the demo kept and builds its city anew. */
  reset: () => Promise<void>
  /** Goes to a screen as a link would. */
  go: (path: string) => void
  /** Address that opens the demo in another tab as this player. */
  newTabUrl: (key: PlayerKey) => string
  /** The app this demo stands beside; nothing where it stands alone. */
  leaveUrl?: string
}

export const DemoContext = createContext<DemoControls | undefined>(undefined)

export function useDemo(): DemoControls {
  const stage = useContext(DemoContext)
  if (!stage) throw new Error('useStage must be used within a StageContext')
  return stage
}

type DemoState = {
  persona: PlayerKey
  /** A change of player is under way. */
  switching: boolean
  network: Sky
  texts: readonly ReceivedText[]
  /** The newest text that was looked at. */
  seen: number
}

/** What the frame shows. */
export const useDemoState = create<DemoState>()(() => ({
  ...{ persona: 'guest', switching: false, network: 'fine', texts: [], seen: 0 },
}))
