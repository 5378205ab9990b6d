import { buttonClass } from '../forms/button.tsx'

/** A plain link: the demo is a page of its own, which the router does not know. */
export const TryTheDemo = () => (
  <a href="/demo/" className={buttonClass('ghost')}>
    Try the demo
  </a>
)
