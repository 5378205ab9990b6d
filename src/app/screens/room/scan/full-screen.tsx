import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../../../components/forms/button.tsx'

type Props = {
  title: string
  isTitleHidden?: boolean
  tone: 'black' | 'green'
  onClose: () => void
  children: ReactNode
}

/** A modal dialog over the whole screen, open while it is mounted; the same in light and dark. */
export function FullScreen({ title, isTitleHidden, tone, onClose, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // In a layout effect: the focus is restored only if the dialog is closed before it is removed.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={heading}
      className={`fixed inset-0 m-0 size-full max-h-none max-w-none overflow-y-auto text-white ${tone === 'green' ? 'bg-green-deep' : 'bg-[#06120c]'}`}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={() => !ref.current?.open && onClose()}
    >
      <div className="mx-auto flex min-h-full max-w-xl flex-col gap-4 p-4 pt-[calc(1rem+var(--toast-space,0px))] pb-[max(1rem,env(safe-area-inset-bottom))]">
        <div className="flex items-start justify-between gap-2">
          <h2 id={heading} className={isTitleHidden ? 'sr-only' : 'pt-2.5 text-xl'}>
            {title}
          </h2>
          <IconButton
            icon="close"
            label="Close"
            className="-mr-2 ml-auto text-white hover:text-white"
            onClick={onClose}
          />
        </div>
        {children}
      </div>
    </dialog>
  )
}
