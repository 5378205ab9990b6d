import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { priceText } from '#domain/deliveries/payment.ts'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { fullPrice } from '#domain/money.ts'
import { product } from '#domain/product.ts'
import { deniedAs } from '#store/queries/deliveries.ts'
import { isFailing, needsUpdate } from '#store/queries/pulls.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { type Room as RoomState, room } from '#store/queries/room.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { ItemNote } from '../../components/delivery/item-note.tsx'
import { OnYourWay } from '../../components/delivery/on-your-way.tsx'
import { RouteLine } from '../../components/delivery/route-line.tsx'
import { isTakenByAnother } from '../../components/delivery/status.tsx'
import { ButtonLink } from '../../components/forms/button.tsx'
import { Link } from '../../components/forms/link.tsx'
import { MainActionSlot } from '../../components/page/main-action.tsx'
import { MainLandmark } from '../../components/page/main-landmark.tsx'
import { Kente, Loading } from '../../components/page/skeleton.tsx'
import { SyncPill } from '../../components/page/sync-pill.tsx'
import { UpdateNotice } from '../../components/page/update-notice.tsx'
import { DeliveryPhoto } from '../../components/photo/photo.tsx'
import { Empty } from '../../components/text/empty.tsx'
import { Icon } from '../../components/text/icon.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { Verbatim } from '../../components/text/verbatim.tsx'
import { EntriesContext } from '../../hooks/use-entry.ts'
import { useFirst } from '../../hooks/use-first.ts'
import { useLive, useOwn, useWatch } from '../../hooks/use-live.ts'
import { useTitle } from '../../hooks/use-title.ts'
import { guestRecoveryPath, paths, recoveryPathOf } from '../../paths.ts'
import { toast, useToast } from '../../toasts.ts'
import { AskToNotify } from './ask-to-notify.tsx'
import { DeliveryCode } from './delivery-code.tsx'
import { Decision } from './issues/decision.tsx'
import { Reports } from './issues/report-list.tsx'
import { MoreActions } from './more-actions.tsx'
import { JobMap } from './parties/job-map.tsx'
import { People } from './parties/people.tsx'
import { Stops } from './parties/places.tsx'
import { RatingCard } from './parties/rate-party.tsx'
import { ReceiptPart } from './receipt/receipt-part.tsx'
import { useLeaveGivenBack } from './returns/use-leave-given-back.ts'
import { roleOf, Task } from './task/task.tsx'
import { Timeline } from './timeline/timeline.tsx'
import { useGuestSignOff } from './use-guest-sign-off.ts'

/** One delivery: its status, and what the person can do. */
export default function Room() {
  const id = useParams().id ?? ''
  const found = useLive(room, id)
  const row = found === null ? null : found?.row
  // A delivery that the server does not know yet cannot be pulled.
  const isOnServer = id !== '' && row !== undefined && row?.known !== false
  useWatch(isOnServer ? { kind: 'delivery', id } : undefined)
  const [isReceiptOpen, setReceiptOpen] = useState(false)
  const isLeaving = useGuestSignOff(id, found, isReceiptOpen)
  useLeaveGivenBack(found)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  useTitle(row?.view.itemDescription ?? 'Delivery')
  if (id === '') return <InvalidId />
  return (
    <MainActionSlot value={slot}>
      <Header row={row ?? undefined} />
      <MainLandmark className="wide mx-auto grid w-full page-width gap-4 px-4 pt-2 pb-6 md:px-6">
        {found ? (
          <EntriesContext value={found.entries}>
            <Delivery {...found} isReceiptOpen={isReceiptOpen} onReceipt={setReceiptOpen} />
          </EntriesContext>
        ) : row === null && !isLeaving ? (
          <NotAvailable id={id} />
        ) : (
          <Loading label="Loading the delivery" />
        )}
      </MainLandmark>
      <section
        ref={setSlot}
        data-main-action=""
        aria-label="Main action"
        className="sticky bottom-0 z-20 mx-auto w-full page-width border-t border-line bg-paper px-4 pt-2.5 pb-[max(0.75rem,env(safe-area-inset-bottom))] empty:hidden md:px-6 lg:[&:not(:empty)]:grid lg:grid-cols-[3fr_2fr] lg:gap-4 lg:*:col-start-1"
      />
    </MainActionSlot>
  )
}

function Header({ row }: { row: DeliveryRow | undefined }) {
  return (
    <header className="sticky top-0 z-30 bg-paper pt-[env(safe-area-inset-top)]">
      <Kente />
      <div className="mx-auto flex w-full page-width flex-wrap items-center gap-1 py-1 pr-4 pl-1 md:px-6">
        <Link
          to={paths.home}
          aria-label="Back"
          className="grid size-12 shrink-0 place-items-center rounded-full"
        >
          <Icon name="back" />
        </Link>
        <h1 className="line-clamp-2 min-w-[7rem] flex-1 text-xl">
          {row?.view.itemDescription ?? 'Delivery'}
        </h1>
        <SyncPill />
      </div>
    </header>
  )
}

type DeliveryProps = RoomState & { isReceiptOpen: boolean; onReceipt: (isOpen: boolean) => void }

function Delivery({ row, who, isOld, movedPhone, isEnding, ...found }: DeliveryProps) {
  // As it was when the first of it was drawn: a card that comes later would move what is below it.
  const isOffered = useFirst(found.isOffered)
  return (
    <>
      {isOld && (
        <UpdateNotice title="Update to see this">
          There is news of this delivery that only a newer version of {product} can show.
        </UpdateNotice>
      )}
      {movedPhone !== undefined && <Moved phone={movedPhone} />}
      <div className="grid items-start gap-4 md:grid-cols-[3fr_2fr] md:grid-rows-[auto_1fr]">
        <div className="grid gap-4 lg:row-span-2">
          <Task row={row} who={who} />
          <Decision row={row} who={who} />
          {!isEnding && <RatingCard row={row} who={who} />}
          <DeliveryCode row={row} who={who} />
          {isOffered && <AskToNotify row={row} who={who} />}
          <Summary row={row} />
          <Stops row={row} who={who} />
        </div>
        {/* On a desktop beside all of it: the timeline is in view without scrolling. */}
        <div className="grid gap-4 empty:hidden lg:col-start-2 lg:row-start-1">
          <JobMap row={row} who={who} />
          {!isTakenByAnother(row) && (
            <section className="card lg:order-first" aria-label="Timeline">
              <Timeline row={row} who={who} />
            </section>
          )}
        </div>
        <div className="grid gap-4 md:col-start-2 md:row-span-2 md:row-start-1 lg:row-span-1 lg:row-start-2">
          <Reports id={row.ID} />
          <People row={row} who={who} />
          <ReceiptPart
            row={row}
            as={roleOf(row, who)}
            isOpen={found.isReceiptOpen}
            onOpen={found.onReceipt}
          />
          <MoreActions row={row} who={who} />
        </div>
      </div>
    </>
  )
}

/** The delivery was opened on another phone, and this one is told nothing of it any more (S74). */
function Moved({ phone }: { phone: string }) {
  return (
    <Notice title="Opened on another phone">
      <p className="text-sm">This phone no longer gets updates, and sends nothing about it.</p>
      <ButtonLink className="justify-self-start" to={recoveryPathOf(phone)}>
        Get it back by SMS
      </ButtonLink>
    </Notice>
  )
}

function Summary({ row }: { row: DeliveryRow }) {
  const { pickupZone, dropoffZone } = row.view
  return (
    <section aria-label="Details" className="card flex flex-wrap items-center gap-3">
      <DeliveryPhoto row={row} className="size-20" />
      <div className="grid min-w-[min(100%,10rem)] flex-1 justify-items-start gap-1">
        <RouteLine from={pickupZone} to={dropoffZone} isStrong />
        <OnYourWay of={row.view} />
        <strong className="text-2xl font-extrabold tracking-tight">
          {priceText(row.view, fullPrice)}
        </strong>
        <Verbatim className="text-sm text-soft">{referenceOf(row.ID)}</Verbatim>
      </div>
      <ItemNote of={row.view} />
    </section>
  )
}

/** Shown without a row: the delivery is not loaded yet, or not visible to this person (R53, R54). */
function NotAvailable({ id }: { id: string }) {
  const why = useLive(deniedAs, id)
  const status = useLive(syncStatus)
  const failing = useLive(isFailing, `delivery:${id}`)
  const isOld = useOwn(needsUpdate, id)
  if (isOld)
    return (
      <UpdateNotice title="Update to see this">
        Only a newer version of {product} can show this delivery.
      </UpdateNotice>
    )
  if (why === 'access-denied')
    return (
      <Denied title="Access Denied" text="This delivery doesn't belong to your guest session.">
        <DeniedActions />
      </Denied>
    )
  if (why === 'session-expired')
    return (
      <Denied
        title="Session Expired"
        text="A guest can track a delivery for 24 hours on the phone it was made with. Log in if it is yours."
      >
        <DeniedActions />
      </Denied>
    )
  if (why === 'not-found') return <LoadFailed />
  if (why === null && (status?.reachable === false || failing))
    return (
      <Empty icon="clock" title="Not available offline">
        It loads when you're back online.
      </Empty>
    )
  return <Loading label="Loading the delivery" />
}

function DeniedActions() {
  return (
    <>
      <ButtonLink to={paths.auth}>Login</ButtonLink>
      <ButtonLink look="line" to={guestRecoveryPath}>
        Find it by SMS
      </ButtonLink>
    </>
  )
}

function Denied({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  useToast({ title, text, destructive: true })
  return (
    <Empty
      icon="shield"
      title={title}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {children}
          <ButtonLink look="line" to={paths.home}>
            Go to Home
          </ButtonLink>
        </div>
      }
    >
      {text}
    </Empty>
  )
}

const LoadFailed = () => <RedirectHome text="Failed to load delivery details" />
const InvalidId = () => <RedirectHome text="Invalid delivery ID" />

/** Redirects to Home, and shows the error there in a toast. */
function RedirectHome({ text }: { text: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate(paths.home, { replace: true })
    toast({ title: 'Error', text, destructive: true })
  }, [navigate, text])
  return null
}
