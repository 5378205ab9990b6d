import type { SendDraft } from '#domain/deliveries/draft.ts'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Button } from '../../components/forms/button.tsx'
import { PhotoPicker } from '../../components/forms/photo-picker.tsx'
import { StoredPhoto } from '../../components/photo/photo.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { preloadRoom } from '../room/preload.ts'
import { ItemDetails } from './item-details.tsx'
import { ItemTiles } from './item-tiles.tsx'
import { StepLine } from './step-line.tsx'
import { lastStep } from './steps.ts'
import { type Mode, type SendFormState, useSendForm } from './use-send-form.ts'
import { WhereStep } from './where-step.tsx'
import { WhoStep } from './who-step.tsx'

preloadRoom()

/** The request form, in three steps. The draft is saved as it is typed, and stays until it is submitted. */
export function SendForm({ mode, saved }: { mode: Mode; saved: SendDraft | null }) {
  const state = useSendForm(mode, saved)
  const { form, draft, busy, step } = state
  return (
    <form ref={form} noValidate onSubmit={state.submit} className="grid gap-4">
      <StepLine step={step} onOpen={state.openStep} />
      <div className="card grid gap-5 sm:p-6">
        {draft.after && (
          <Notice title="Your earlier request may have arrived">
            <p className="text-sm">It is cancelled before this one is sent.</p>
          </Notice>
        )}
        {step === 1 && <WhatStep state={state} />}
        {step === 2 && <WhereStep state={state} />}
        {step === 3 && <WhoStep state={state} mode={mode} />}
      </div>
      {state.shared.isAsking && (
        <Confirm
          title="Use the shared photo?"
          yes="Replace photo"
          no="Keep the old one"
          onYes={state.shared.take}
          onClose={state.shared.refuse}
        >
          Your request already has a photo.
        </Confirm>
      )}
      <div className="sticky bottom-16 z-10 -mx-4 border-t border-line bg-paper px-4 py-2.5 md:bottom-0">
        <Button type="submit" disabled={busy} className="min-h-14 w-full text-lg">
          {step === lastStep ? 'Request Delivery' : 'Continue'}
        </Button>
      </div>
    </form>
  )
}

/** The item, its photo, and what else there is to say of it. */
function WhatStep({ state }: { state: SendFormState }) {
  const { photo, itemDescription } = state.draft
  return (
    <>
      <ItemTiles
        value={itemDescription}
        error={state.errorOf('itemDescription')}
        onBlur={() => state.touchAfterClick('itemDescription')}
        onChange={(item) => state.change({ itemDescription: item })}
      />
      <PhotoPicker
        label="Item photo"
        hint="Kept on this phone and sent with your request."
        error={state.errorOf('photo')}
        preview={
          photo && (
            <StoredPhoto
              id={photo}
              alt="Your item"
              className="h-44 w-full rounded-control object-cover"
            />
          )
        }
        beforeOpen={state.saveNow}
        onPhoto={({ bytes, type }) => state.savePhoto(bytes, type)}
        onPicked={async (accepted) => {
          state.photoWork.current = accepted
          await accepted
          state.photoWork.current = undefined
        }}
      />
      <ItemDetails state={state} />
    </>
  )
}
