import type { ReactNode } from 'react'
import type { DeliveryRow } from '#store/rows.ts'
import { UndoButton } from '../../forms/undo-button.tsx'
import { useHeldEntry } from './use-held-entry.ts'

/** The way back from what was done last about a delivery (R99); `children` in its place afterwards. */
export function UndoOr(props: { row: DeliveryRow; className?: string; children: ReactNode }) {
  const entry = useHeldEntry(props.row)
  return entry ? <UndoButton entry={entry} className={props.className} /> : props.children
}
