import type { ComponentProps } from 'react'
import { Icon, type IconName } from '../text/icon.tsx'
import { Link } from './link.tsx'

export type ButtonLook = 'green' | 'gold' | 'line' | 'edge' | 'deep' | 'red' | 'ghost'

const looks: Record<ButtonLook, string> = {
  green: 'bg-green text-on-green active:bg-green-press',
  gold: 'bg-gold text-on-gold',
  line: 'border-[1.5px] border-line bg-transparent text-ink',
  edge: 'border-[1.5px] border-edge bg-transparent text-ink',
  /** For the deep green of the code card. */
  deep: 'border-[1.5px] border-mint/40 bg-transparent text-white',
  red: 'border-[1.5px] border-red bg-transparent text-red',
  ghost: 'bg-transparent text-green',
}

/** Classes of a button; it is at least 48 px high. */
export const buttonClass = (look: ButtonLook = 'green', more = '', tight = false) =>
  `inline-flex min-h-12 items-center justify-center rounded-control ${tight ? 'gap-1.5 px-2' : 'gap-2 px-5'} text-center font-bold leading-tight transition-[background-color,opacity] disabled:opacity-50 aria-disabled:opacity-50 ${looks[look]} ${more}`

type Own = { look?: ButtonLook; icon?: IconName; tight?: boolean }

export function Button({
  look,
  icon,
  tight,
  className,
  children,
  type = 'button',
  ...rest
}: Own & ComponentProps<'button'>) {
  return (
    <button type={type} className={buttonClass(look, className, tight)} {...rest}>
      {icon && <Icon name={icon} className="size-5" />}
      {children}
    </button>
  )
}

export function ButtonLink({
  look,
  icon,
  tight,
  className,
  children,
  ...rest
}: Own & ComponentProps<typeof Link>) {
  return (
    <Link className={buttonClass(look, className, tight)} {...rest}>
      {icon && <Icon name={icon} className="size-5" />}
      {children}
    </Link>
  )
}

export function IconButton({
  icon,
  label,
  className = '',
  ...rest
}: { icon: IconName; label: string } & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button
      type="button"
      aria-label={label}
      className={`grid size-12 shrink-0 place-items-center rounded-full text-soft hover:text-ink ${className}`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}
