import type { AnchorHTMLAttributes } from 'react'
import {
  type To,
  useHref,
  useLinkClickHandler,
  useLocation,
  useResolvedPath,
} from 'react-router-dom'

export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: To
  replace?: boolean
  state?: unknown
}

/** A link within the app. React Router's own brings code for servers and preloading into the first page (2 kB). */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps) {
  const follow = useLinkClickHandler(to, { replace, state, target: rest.target })
  return (
    <a
      {...rest}
      href={useHref(to)}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    />
  )
}

/** A link that says whether it leads to the screen that is open, or with `within` to one below it. */
export function NavLink({ within, ...link }: LinkProps & { within?: boolean }) {
  const { pathname } = useLocation()
  const { pathname: own } = useResolvedPath(link.to)
  const isHere = pathname === own || (within && pathname.startsWith(`${own}/`))
  return <Link aria-current={isHere ? 'page' : undefined} {...link} />
}
