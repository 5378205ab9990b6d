import type { ReactNode } from 'react'
import type { Soma } from '#sync/open.ts'

export function Frame({ children }: { soma: Soma; children: ReactNode }) {
  return children
}
