import { createContext, useContext } from 'react'
import { create } from 'zustand'
import type { SendDraft } from '#domain/deliveries/draft.ts'
import type { PaymentMode } from '#domain/deliveries/payment.ts'
import type { NetworkCondition } from '../backend/network-conditions.ts'
import type { PersonaKey } from '../simulation/personas.ts'

/** A persona as the bar lists it. */
export type PersonaOption = {
  key: PersonaKey
  name: string
  /** `Sender`, `Pending driver` … */
  role: string
  /** What the person does in the demo, in a few words. */
  about: string
  /** URL of the portrait. */
  portrait: string
}

/** A text of the inbox. `at`: milliseconds. */
export type ReceivedText = { id: number; to: string; text: string; at: number }

/** A prompt of the payment provider that nobody has answered. `at`: milliseconds; `phone`: the payer's. */
export type Prompt = { reference: string; phone?: string; pesewas: number; at: number }

/** What the demo's bar and tour can do. */
export type DemoControls = {
  personas: readonly PersonaOption[]
  /** The seeded admin, shown below the login form. */
  admin: { name: string; email: string; password: string }
  /** Shows another persona's device, at `path`. A `draft` fills their Send form in, with a photo. */
  switchPersona: (key: PersonaKey, path?: string, draft?: Partial<SendDraft>) => Promise<void>
  setNetwork: (condition: NetworkCondition) => void
  /** How senders pay from now on, in all tabs. */
  setPayments: (mode: PaymentMode) => void
  /** As the admin, with one tap on the pending driver's own device. */
  approveDriver: () => Promise<void>
  answerPrompt: (reference: string, answer: 'paid' | 'failed') => Promise<void>
  /** Deletes everything the demo has stored and builds the city again. */
  reset: () => Promise<void>
  /** Navigates as a link does. */
  go: (path: string) => void
  /** The address that opens the demo in another tab as this persona. */
  newTabUrl: (key: PersonaKey) => string
  /** The address of the app beside which this demo is served, if any. */
  leaveUrl?: string
}

export const DemoContext = createContext<DemoControls | undefined>(undefined)

export function useDemo(): DemoControls {
  const controls = useContext(DemoContext)
  if (!controls) throw new Error('useDemo must be used within a DemoContext')
  return controls
}

type DemoState = {
  /** Whose device is shown. */
  persona: PersonaKey
  /** A switch to another persona is under way. */
  switching: boolean
  network: NetworkCondition
  payments: PaymentMode
  texts: readonly ReceivedText[]
  prompts: readonly Prompt[]
  /** The ID of the newest text that was seen. */
  seen: number
}

/** What the bar and the tour show. */
export const useDemoState = create<DemoState>()(() => ({
  persona: 'guest',
  switching: false,
  network: 'fine',
  payments: 'direct',
  texts: [],
  prompts: [],
  seen: 0,
}))
