import { type ReactNode, useState } from 'react'
import { Button, type ButtonLook } from '../forms/button.tsx'
import { Dialog } from './dialog.tsx'

/** Asks for confirmation of something that cannot be undone. Closes when `onYes` has settled. */
export function Confirm(props: {
  title: string
  children: ReactNode
  yes: string
  no?: string
  look?: ButtonLook
  /** False while something still has to be filled in. */
  isReady?: boolean
  onYes: () => unknown
  onClose: () => void
}) {
  const [busy, setBusy] = useState(false)
  const agree = async () => {
    setBusy(true)
    try {
      await props.onYes()
    } finally {
      setBusy(false)
      props.onClose()
    }
  }
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <div className="text-soft">{props.children}</div>
      <div className="grid gap-2 sm:grid-cols-2">
        <Button look={props.look} disabled={busy || props.isReady === false} onClick={agree}>
          {props.yes}
        </Button>
        <Button look="line" disabled={busy} onClick={props.onClose}>
          {props.no ?? 'Not now'}
        </Button>
      </div>
    </Dialog>
  )
}
