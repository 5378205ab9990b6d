import { type ReactNode, useId } from 'react'
import { useModal } from '../../../components/dialogs/dialog.tsx'
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
  const heading = useId()
  const modal = useModal(onClose)
  return (
    <dialog
      {...modal}
      aria-labelledby={heading}
      className={`fixed inset-0 m-0 size-full max-h-none max-w-none overflow-y-auto text-white ${tone === 'green' ? 'bg-green-deep' : 'bg-[#06120c]'}`}
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
