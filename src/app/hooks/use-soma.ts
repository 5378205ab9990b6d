import { createContext, useContext } from 'react'
import type { Soma } from '#store/open.ts'

/** The opened store, commands and sync engine (`openSoma`). */
export const SomaContext = createContext<Soma | undefined>(undefined)

export function useSoma(): Soma {
  const soma = useContext(SomaContext)
  if (!soma) throw new Error('useSoma must be used within a SomaContext')
  return soma
}
