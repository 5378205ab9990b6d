import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../forms/button.tsx'

/**
 * A modal sheet, open for as long as it is mounted. It is the browser's own `<dialog>`: focus is kept
 * inside, the page behind is inert, Escape and Android's back gesture close it, and it weighs nothing.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // In the layout phase, because only a dialog closed before it leaves the page gives the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape is the keyboard's way.
    <dialog
      ref={ref}
      aria-labelledby={heading}
      className="sheet"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={() => !ref.current?.open && onClose()}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="grid gap-4 p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
        <div className="flex items-start justify-between gap-2">
          <h2 id={heading} className="pt-2.5 text-xl">
            {title}
          </h2>
          <IconButton icon="close" label="Close" onClick={onClose} className="-mr-2" />
        </div>
        {children}
      </div>
    </dialog>
  )
}
