import { buttonClass } from '../forms/button.tsx'

/** A page of its own beside the app, with a server of its own inside it: no link of the router's. */
export const TryTheDemo = () => (
  <a href="/demo/" className={buttonClass('ghost')}>
    Try the demo
  </a>
)
