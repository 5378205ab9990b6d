import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../forms/button.tsx'

/**
 * A modal sheet, open while it is mounted. The browser's `<dialog>` keeps the focus inside, makes the page
 * behind inert, and closes on Escape and on Android's back gesture.
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
  const heading = useId()
  const modal = useModal(onClose)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape is the keyboard's way.
    <dialog
      {...modal}
      aria-labelledby={heading}
      className="sheet"
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="grid gap-4 p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
        <DialogHead id={heading} title={title} onClose={onClose} />
        {children}
      </div>
    </dialog>
  )
}

/** Properties of a `<dialog>` that is modal while it is mounted. `onClose`: its person closes it. */
export function useModal(onClose: () => void): ComponentProps<'dialog'> {
  const ref = useRef<HTMLDialogElement>(null)
  // In a layout effect: the focus is restored only if the dialog is closed before it is removed from
  // the page.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  return {
    ref,
    onCancel: (event) => {
      event.preventDefault()
      onClose()
    },
    onClose: () => !ref.current?.open && onClose(),
  }
}

/** The heading, which names the dialog by its `id`, and the button that closes it. */
export function DialogHead(props: { id: string; title: string; onClose: () => void }) {
  return (
    <div className="flex items-start justify-between gap-2">
      <h2 id={props.id} className="pt-2.5 text-xl [overflow-wrap:anywhere]">
        {props.title}
      </h2>
      <IconButton icon="close" label="Close" onClick={props.onClose} className="-mr-2" />
    </div>
  )
}
