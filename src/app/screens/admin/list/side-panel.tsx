import { type ReactNode, useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { Dialog, DialogHead } from '../../../components/dialogs/dialog.tsx'

/** From this width on a panel fits beside a list. */
const wide = '(min-width: 80rem)'

const isWide = () => matchMedia(wide).matches

function onWidth(changed: () => void): () => void {
  const media = matchMedia(wide)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

type Props = { title: string; onClose: () => void; children: ReactNode }

/** Details beside a list on a wide screen, where the list stays usable; else a modal sheet. Escape closes it. */
export function SidePanel(props: Props) {
  return useSyncExternalStore(onWidth, isWide) ? <Beside {...props} /> : <Dialog {...props} />
}

function Beside({ title, onClose, children }: Props) {
  const heading = useId()
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return
      close.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <div
      role="dialog"
      aria-labelledby={heading}
      className="card sticky top-4 grid max-h-[calc(100vh-2rem)] content-start gap-4 overflow-y-auto overscroll-contain"
    >
      <DialogHead id={heading} title={title} onClose={onClose} />
      {children}
    </div>
  )
}
