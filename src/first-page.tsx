import { renderToStaticMarkup } from 'react-dom/server.edge'
import { StaticRouter } from 'react-router-dom'
import type { Soma } from '#store/open.ts'
import { PageSkeleton } from './app/components/page/skeleton.tsx'
import { SomaContext } from './app/hooks/use-soma.ts'
import { VisitorContext, type VisitorState } from './app/hooks/use-visitor.ts'
import { HomeContent } from './app/screens/home/content.tsx'
import { SkipLink, WithBars } from './app/shell/bars.tsx'

/*
 * What the build writes into index.html (build/first-page.ts): it is drawn before any script has come. Of a
 * guest's Home the links work, too.
 */

const guest: VisitorState = {
  visitor: 'guest',
  user: undefined,
  account: 'guest',
  expired: false,
  hasDeliveries: false,
  hasLive: false,
}

/** Live queries begin in a browser alone: here nothing reads a store. */
const noStore = {} as Soma

const home = renderToStaticMarkup(
  <StaticRouter location="/">
    <SomaContext value={noStore}>
      <VisitorContext value={guest}>
        <SkipLink />
        <WithBars>
          <div className="wide home grid gap-4">
            <HomeContent visitor="guest" onLearn={() => undefined} isStill />
          </div>
        </WithBars>
      </VisitorContext>
    </SomaContext>
  </StaticRouter>,
)

const skeleton = renderToStaticMarkup(<PageSkeleton />)

export default { home, skeleton }
