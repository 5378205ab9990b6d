import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { shortPrice } from '#domain/money.ts'
import { internationalPhone } from '#domain/users/phone.ts'
import type { User } from '#domain/users/user.ts'
import { adminUser, type Details } from '#store/queries/admin/admin.ts'
import { ButtonLink, buttonClass } from '../../../components/forms/button.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { AverageRating } from '../../../components/person/stars.tsx'
import { HostedPhoto } from '../../../components/photo/photo.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { Facts } from '../../../components/text/facts.tsx'
import { Icon, type IconName } from '../../../components/text/icon.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { isUnavailable, type ListState, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { licenceText } from '../../../texts/licence-texts.ts'
import { longDate } from '../../../texts/time.ts'
import { DeliveryDetails } from '../deliveries/delivery-details.tsx'
import { LongList } from '../list/long-list.tsx'
import { DriverCard } from './driver-card.tsx'
import { Notes } from './notes.tsx'
import { PersonRecord } from './record.tsx'
import { Signs } from './signs.tsx'
import { SuspensionPart } from './suspension.tsx'
import { RoleTag } from './users.tsx'

/** One person's account, and the deliveries they sent or drove. */
export function UserPage() {
  const { id = '' } = useParams()
  const list = useListState({ kind: 'adminUser', id }, 'Failed to load users')
  const details = useOwn(adminUser, id)
  const [open, setOpen] = useState<string>()
  const { account } = useVisitor()
  return (
    <PageLayout title={details?.user.name ?? 'User'}>
      <ButtonLink look="line" icon="back" to={paths.adminUsers} className="justify-self-start">
        All users
      </ButtonLink>
      {details ? (
        <div className="grid items-start gap-4 xl:grid-cols-[22rem_1fr]">
          <div className="grid gap-4">
            <Account user={details.user} about={details.about} />
            {details.user.ID !== account && <SuspensionPart details={details} />}
            {details.application && <DriverCard driver={details.application} />}
          </div>
          <div className="grid gap-4">
            <Signs of={details.about?.signs} />
            <Notes details={details} />
            <Deliveries details={details} list={list} onOpen={setOpen} />
            <PersonRecord details={details} />
          </div>
        </div>
      ) : list.is === 'refused' ? (
        <Empty icon="person" title="No such user" />
      ) : isUnavailable(list) ? (
        <ListUnavailable list={list} icon="person" what="This person's details come" />
      ) : (
        <Loading label="Loading user" />
      )}
      {open && <DeliveryDetails id={open} onClose={() => setOpen(undefined)} />}
    </PageLayout>
  )
}

function Account({ user, about }: { user: User; about: Details['about'] }) {
  return (
    <section className="card grid gap-3" aria-label="Account">
      {user.photo && <HostedPhoto src={user.photo} alt={`Photo of ${user.name}`} />}
      {user.phone_number && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-2">
          <Reach icon="phone" href={`tel:${user.phone_number}`} label={`Call ${user.name}`}>
            Call
          </Reach>
          <Reach
            icon="chat"
            href={`https://wa.me/${internationalPhone(user.phone_number)}`}
            label={`WhatsApp ${user.name}`}
          >
            WhatsApp
          </Reach>
        </div>
      )}
      <Facts
        of={[
          ['Role', <RoleTag key="role" user={user} />],
          [
            'Email',
            <a key="email" href={`mailto:${user.email}`} className="text-green underline">
              {user.email}
            </a>,
          ],
          [
            'Phone',
            // Somebody else may have it by now (R145).
            user.phone_number === '' ? (
              'None'
            ) : (
              <a
                key="phone"
                translate="no"
                href={`tel:${user.phone_number}`}
                className="text-green underline"
              >
                {user.phone_number}
              </a>
            ),
          ],
          ['Phone verified', user.Verified ? 'Yes' : 'Not yet'],
          ...(user.licence
            ? [['Courier licence', licenceText(user.licence, new Date().toISOString())] as const]
            : []),
          ...(user.rating
            ? [['Rating', <AverageRating key="rating" {...user.rating} />] as const]
            : []),
          ...(user.driverStatus ? [['Driver status', user.driverStatus] as const] : []),
          ...(about ? [['Joined', longDate(about.joinedAt)] as const] : []),
          [
            'ID',
            <Verbatim key="id" title={user.ID}>
              {referenceOf(user.ID)}
            </Verbatim>,
          ],
        ]}
      />
    </section>
  )
}

const Reach = (props: { icon: IconName; href: string; label: string; children: string }) => (
  <a href={props.href} aria-label={props.label} rel="noreferrer" className={buttonClass('line')}>
    <Icon name={props.icon} className="size-5 text-green" />
    {props.children}
  </a>
)

function Deliveries(props: { details: Details; list: ListState; onOpen: (id: string) => void }) {
  const { user, deliveries, total } = props.details
  return (
    <section className="grid gap-3" aria-label="Deliveries">
      <h2>Deliveries{deliveries ? ` (${total.toLocaleString('en-GH')})` : ''}</h2>
      {deliveries === null ? (
        isUnavailable(props.list) ? (
          <ListUnavailable list={props.list} icon="box" what="Their deliveries come" />
        ) : (
          <Loading rows={2} label="Loading deliveries" />
        )
      ) : deliveries.length === 0 ? (
        <Empty icon="box" title="No deliveries found." />
      ) : (
        <>
          <LongList
            rows={deliveries}
            keyOf={({ ID }) => ID}
            onOpen={({ ID }) => props.onOpen(ID)}
            cells={({ view }) => ({
              title: view.itemDescription,
              text: `${referenceOf(view.ID)} · ${view.pickupZone} to ${view.dropoffZone} · ${view.status}`,
              side: shortPrice(view.offer),
              note: view.driver?.id === user.ID ? 'Driver' : 'Sender',
            })}
          />
          {deliveries.length < total && (
            <p className="flex items-center gap-2 text-sm text-soft">
              <Icon name="clock" className="size-4" />
              The newest {deliveries.length}; older ones are found in the delivery overview.
            </p>
          )}
        </>
      )}
    </section>
  )
}
