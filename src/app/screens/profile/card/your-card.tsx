import { useState } from 'react'
import { hasExpired, type Licence, type Licences, licencesAfter } from '#domain/users/licence.ts'
import { isApprovedDriver, type User } from '#domain/users/user.ts'
import { type CardChange, ownRecord, waitingCard } from '#store/queries/account/driver-card.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useUnsentText } from '../../../components/delivery/unsent/use-unsent-text.ts'
import { Button } from '../../../components/forms/button.tsx'
import { PhotoPicker } from '../../../components/forms/photo-picker.tsx'
import { DriverCard, portraitClass } from '../../../components/person/driver-card.tsx'
import { LicenceNotice } from '../../../components/person/licence-notice.tsx'
import { StoredPhoto } from '../../../components/photo/photo.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { useOwn } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { waitsForSignal } from '../../../texts/next-step.ts'
import { LicenceForm } from './licence-form.tsx'

/** The user as they are once what waits on this phone has arrived, but for a new photo. */
function changed(user: User, { licenceNumber, licenceExpires, photo }: CardChange): User {
  const typed = user.licencePending ?? user.licence
  const number = licenceNumber ?? typed?.number ?? ''
  const expires = licenceExpires ?? typed?.expires ?? ''
  const entered = number && expires ? { number, expires } : undefined
  const isChanged = licenceNumber !== undefined || licenceExpires !== undefined
  return {
    ...user,
    ...(isChanged ? changedLicences(user, entered) : {}),
    photo: photo === undefined ? user.photo : undefined,
  }
}

/** As the server will have them (R139); unchanged where it will refuse. */
function changedLicences(user: User, entered: Licence | undefined): Licences {
  const { licence, licencePending } = user
  const now = new Date().toISOString()
  if (entered === undefined && hasExpired(licence, now)) return { licence, licencePending }
  const after = licencesAfter({ licence, isApproved: isApprovedDriver(user) }, entered, now)
  return { licence: after.licence, licencePending: after.licencePending }
}

/** A driver's card as senders see it, and what the driver can change of it (R114). */
export function YourCard({ user }: { user: User }) {
  const { commands } = useSoma()
  const said = useUnsentText()
  const [editing, setEditing] = useState<'photo' | 'licence'>()
  const waiting = useOwn(waitingCard)
  const record = useOwn(ownRecord)
  const shown = waiting ? changed(user, waiting) : user
  const change = (card: CardChange) => attempt('Error', () => commands.changeDriverCard(card))
  const close = () => setEditing(undefined)
  return (
    <section className="card grid gap-4" aria-labelledby="card">
      <div className="grid gap-1">
        <h2 id="card">Your card</h2>
        <p className="text-sm text-soft">Senders see this when you accept their delivery.</p>
      </div>
      <LicenceNotice />
      <div className="rounded-control border border-line p-3">
        <DriverCard
          driver={{ ...shown, phone: shown.phone_number, ...record }}
          portrait={
            waiting?.photo && (
              <StoredPhoto id={waiting.photo} alt="Your photo" className={portraitClass} />
            )
          }
        />
      </div>
      {waiting && (
        <span role="status" className="justify-self-start">
          <Tag tone="unsent">{said(waitsForSignal)}</Tag>
        </span>
      )}
      {editing === 'photo' && (
        <PhotoPicker
          label="Your photo"
          hint="Your face, so that senders recognise you."
          onPhoto={async ({ bytes, type }) => {
            await commands.changeDriverCard({ photo: await commands.savePhoto(bytes, type) })
            close()
          }}
        />
      )}
      {editing === 'licence' ? (
        <LicenceForm
          licence={shown.licencePending ?? shown.licence}
          onSave={change}
          onClose={close}
        />
      ) : (
        <div className="flex flex-wrap gap-2 *:flex-auto">
          {editing !== 'photo' && (
            <Button look="line" onClick={() => setEditing('photo')}>
              {shown.photo || waiting?.photo ? 'Change photo' : 'Add a photo'}
            </Button>
          )}
          {editing === 'photo' && (shown.photo || waiting?.photo) && (
            <Button look="red" onClick={async () => (await change({ photo: '' })) && close()}>
              Remove photo
            </Button>
          )}
          {editing === 'photo' && (
            <Button look="line" onClick={close}>
              Cancel
            </Button>
          )}
          <Button look="line" onClick={() => setEditing('licence')}>
            {(shown.licencePending ?? shown.licence) ? 'Edit licence' : 'Add courier licence'}
          </Button>
        </div>
      )}
    </section>
  )
}
