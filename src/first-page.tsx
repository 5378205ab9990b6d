import { renderToStaticMarkup } from 'react-dom/server.edge'
import { StaticRouter } from 'react-router-dom'
import { SomaContext } from './app/hooks/use-soma.ts'
import { VisitorContext, type VisitorState } from './app/hooks/use-visitor.ts'
import { HomeContent } from './app/screens/home/content.tsx'
import { SkipLink, WithBars } from './app/shell/bars.tsx'
import type { Soma } from './sync/open.ts'

/*
 * A guest's Home as markup. The build writes it into index.html (server/launch/first-page.ts), so that a first
 * visitor sees it, and can follow its links, before any script has come.
 */

const guest: VisitorState = {
  visitor: 'guest',
  user: undefined,
  account: 'guest',
  expired: false,
  hasDeliveries: false,
  hasLive: false,
  route: {},
}

/** Live queries begin in a browser alone: here nothing reads a store. */
const noStore = {} as Soma

export default renderToStaticMarkup(
  <StaticRouter location="/">
    <SomaContext value={noStore}>
      <VisitorContext value={guest}>
        <SkipLink />
        <WithBars>
          <div className="grid gap-4">
            <HomeContent visitor="guest" onLearn={() => undefined} isStill />
          </div>
        </WithBars>
      </VisitorContext>
    </SomaContext>
  </StaticRouter>,
)
