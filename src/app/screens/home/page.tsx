import { Suspense, useState } from 'react'
import { helpContacts } from '#store/queries/config/help-contacts.ts'
import { guideWanted, isFirstPageHome } from '../../browser/first-page.ts'
import { WithNow } from '../../components/now/with-now.tsx'
import { lazyPart } from '../../components/page/lazy-part.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { useLive } from '../../hooks/use-live.ts'
import { useTitle } from '../../hooks/use-title.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { HomeContent } from './content.tsx'

const HowItWorks = lazyPart(() => import('./how-it-works.tsx'))
const Help = lazyPart(
  () => import('../../components/page/help.tsx'),
  () => null,
)
const InstallCard = lazyPart(
  () => import('./install-card.tsx'),
  () => null,
)

export default function Home() {
  const { visitor, user, hasDeliveries } = useVisitor()
  const help = useLive(helpContacts)
  const [guide, setGuide] = useState(guideWanted)
  const [isStill] = useState(isFirstPageHome)
  useTitle('Home')
  return (
    <div className="wide home grid gap-4">
      {help?.announcement && (
        <p role="note" className="rounded-card bg-gold-wash p-4 [overflow-wrap:anywhere]">
          {help.announcement}
        </p>
      )}
      <WithNow fallback={<Loading />}>
        <HomeContent
          visitor={visitor}
          name={user?.name}
          isRejected={visitor === 'driver' && user?.driverStatus === 'rejected'}
          onLearn={() => setGuide(true)}
          isStill={isStill}
        />
      </WithNow>
      {!user && help && (help.supportPhone || help.whatsapp || help.termsUrl || help.terms) && (
        <Suspense>
          <Help />
        </Suspense>
      )}
      {hasDeliveries && (
        <Suspense>
          <InstallCard />
        </Suspense>
      )}
      {guide && (
        <Suspense>
          <HowItWorks onClose={() => setGuide(false)} />
        </Suspense>
      )}
    </div>
  )
}
