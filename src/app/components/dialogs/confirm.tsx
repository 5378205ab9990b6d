import { type ReactNode, useState } from 'react'
import { Button, type ButtonLook } from '../forms/button.tsx'
import { Dialog } from './dialog.tsx'

/** Asks once more before something that cannot be taken back. */
export function Confirm(about: {
  title: string
  children: ReactNode
  yes: string
  no?: string
  look?: ButtonLook
  onYes: () => unknown
  onClose: () => void
}) {
  const [busy, setBusy] = useState(false)
  const agree = async () => {
    setBusy(true)
    try {
      await about.onYes()
    } finally {
      setBusy(false)
      about.onClose()
    }
  }
  return (
    <Dialog title={about.title} onClose={about.onClose}>
      <div className="text-soft">{about.children}</div>
      <div className="grid gap-2 sm:grid-cols-2">
        <Button look={about.look} disabled={busy} onClick={agree}>
          {about.yes}
        </Button>
        <Button look="line" onClick={about.onClose}>
          {about.no ?? 'Not now'}
        </Button>
      </div>
    </Dialog>
  )
}
