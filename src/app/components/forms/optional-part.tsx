import { type ReactNode, useId, useRef, useState } from 'react'
import { Icon, type IconName } from '../text/icon.tsx'

/** Fields of a form that most people leave out, folded up until they are needed. */
export function OptionalPart(props: {
  label: string
  icon: IconName
  title: string
  /** Under the title while it is folded up. */
  summary: string
  /** Something in it is wrong, and must be seen. */
  isWrong: boolean
  /** Between the title and the fields, also while it is folded up. */
  notice?: ReactNode
  children: (fold: () => void) => ReactNode
}) {
  const id = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const [isUnfolded, setUnfolded] = useState(false)
  const isOpen = isUnfolded || props.isWrong
  const fold = () => {
    setUnfolded(false)
    toggle.current?.focus()
  }
  return (
    <section
      aria-label={props.label}
      className="grid gap-3 rounded-control border-[1.5px] border-line p-1.5"
    >
      <button
        ref={toggle}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setUnfolded(!isOpen)}
        className="flex min-h-12 items-center gap-2.5 px-2 text-left"
      >
        <Icon name={props.icon} className="size-5 text-green" />
        <span className="grid min-w-0 flex-1">
          <strong>{props.title}</strong>
          {!isOpen && (
            <span className="line-clamp-2 text-sm text-soft [overflow-wrap:anywhere]">
              {props.summary}
            </span>
          )}
        </span>
        <Icon name={isOpen ? 'close' : 'plus'} className="size-5 text-soft" />
      </button>
      {props.notice}
      <div id={id} className={isOpen ? 'grid gap-4 px-2 pb-2' : 'hidden'}>
        {isOpen && props.children(fold)}
      </div>
    </section>
  )
}
