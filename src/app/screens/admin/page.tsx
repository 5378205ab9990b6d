import type { ReactNode } from 'react'
import { Route, Routes } from 'react-router-dom'
import { Link } from '../../components/forms/link.tsx'
import { Brand } from '../../components/page/logo.tsx'
import { MainLandmark } from '../../components/page/main-landmark.tsx'
import { Kente } from '../../components/page/skeleton.tsx'
import { SyncPill } from '../../components/page/sync-pill.tsx'
import { Icon } from '../../components/text/icon.tsx'
import { paths } from '../../paths.ts'
import NotFound from '../not-found/page.tsx'
import { Audit } from './audit/audit.tsx'
import { Colleagues } from './colleagues/colleagues.tsx'
import { Dashboard } from './dashboard/dashboard.tsx'
import { Deliveries } from './deliveries/deliveries.tsx'
import { DisputePage } from './disputes/dispute.tsx'
import { Disputes } from './disputes/disputes.tsx'
import { ForAdmins } from './for-admins.tsx'
import { AdminKeys } from './keyboard/admin-keys.tsx'
import { Money } from './money/money-page.tsx'
import { Nav } from './nav.tsx'
import { Drivers } from './people/drivers.tsx'
import { Review } from './people/review.tsx'
import { UserPage } from './people/user-page.tsx'
import { Users } from './people/users.tsx'
import { SearchResultsPage } from './search/results.tsx'
import { SearchField } from './search/search-field.tsx'
import { Settings } from './settings/settings.tsx'
import { Support } from './support/support.tsx'

/** The admin area, with a header and paths of its own (R3). */
export default function Admin() {
  return (
    <Frame>
      <Routes>
        <Route index element={<Dashboard />} />
        <Route path="deliveries" element={<Deliveries />} />
        <Route path="drivers" element={<Drivers />} />
        <Route path="drivers/review" element={forAdmins(<Review />)} />
        <Route path="users" element={<Users />} />
        <Route path="users/:id" element={<UserPage />} />
        <Route path="disputes" element={<Disputes />} />
        <Route path="disputes/:id" element={<DisputePage />} />
        <Route path="money" element={forAdmins(<Money />)} />
        <Route path="colleagues" element={forAdmins(<Colleagues />)} />
        <Route path="search" element={<SearchResultsPage />} />
        <Route path="audit" element={<Audit />} />
        <Route path="support" element={<Support />} />
        <Route path="settings" element={forAdmins(<Settings />)} />
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Frame>
  )
}

const forAdmins = (screen: ReactNode) => <ForAdmins>{screen}</ForAdmins>

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="full-height bg-desk lg:grid lg:grid-cols-[13rem_1fr]">
      <header className="bg-green-deep pt-[env(safe-area-inset-top)] text-white lg:sticky lg:top-0 lg:h-screen">
        <Kente />
        <div className="flex items-center justify-between gap-2 px-4 py-1 lg:py-4">
          <Link to={paths.home} className="flex min-h-12 items-center">
            <Brand />
          </Link>
          <Link
            to={paths.profile}
            aria-label="Profile"
            className="grid size-12 place-items-center rounded-full"
          >
            <Icon name="person" />
          </Link>
        </div>
        <Nav />
        <AdminKeys />
      </header>
      <MainLandmark className="w-full min-w-0 px-4 pt-3 pb-12 lg:px-7 lg:pt-5">
        <div className="mb-3 flex flex-wrap-reverse items-center gap-y-1">
          <SearchField />
          <SyncPill />
        </div>
        {children}
      </MainLandmark>
    </div>
  )
}
