import { useState } from 'react'
import { type Delivery, isOnOffer } from '#domain/deliveries/delivery.ts'
import { maxName } from '#domain/deliveries/draft.ts'
import type { Correction } from '#domain/deliveries/office/correct.ts'
import { maxPlaceText } from '#domain/deliveries/places/place.ts'
import { parseAmount } from '#domain/money.ts'
import { isPhone, normalizePhone } from '#domain/users/phone.ts'
import { SelectField, TextField } from '../../../../components/forms/fields.tsx'
import { ZoneOptions } from '../../../../components/forms/zone-options.tsx'
import { useChoices } from '../../../../hooks/use-choices.ts'
import { useSoma } from '../../../../hooks/use-soma.ts'
import { correctionReasons } from './office-texts.ts'
import { ReasonDialog } from './reason-dialog.tsx'

/** What is wrong of a request, corrected while a caller waits (R193). */
export function CorrectDelivery({ view, onClose }: { view: Delivery; onClose: () => void }) {
  const { commands } = useSoma()
  const zones = useChoices('zones')
  const [typed, setTyped] = useState({
    recipientName: view.recipientName ?? '',
    recipientPhone: view.recipientPhone ?? '',
    pickupZone: view.pickupZone,
    dropoffZone: view.dropoffZone,
    pickup: view.pickupPlace?.text ?? '',
    dropoff: view.dropoffPlace?.text ?? '',
    offer: String(view.offer),
  })
  const isOffered = isOnOffer(view)
  const correction = correctionOf(view, typed)
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    onChange: (event: { target: { value: string } }) =>
      setTyped({ ...typed, [name]: event.target.value }),
  })
  return (
    <ReasonDialog
      name={`correct:${view.ID}`}
      title="Correct the request"
      yes="Save"
      reasons={correctionReasons}
      isReady={correction !== undefined}
      onYes={(reason) => commands.correctDelivery(view.ID, correction ?? {}, reason)}
      onClose={onClose}
    >
      <TextField label="Recipient's name" maxLength={maxName} {...field('recipientName')} />
      <TextField
        label="Recipient's number"
        inputMode="tel"
        {...field('recipientPhone')}
        error={isPhone(normalizePhone(typed.recipientPhone)) ? undefined : 'Ten digits'}
      />
      {isOffered ? (
        <TextField
          label="Offer in cedis"
          inputMode="decimal"
          hint="It can only go up."
          {...field('offer')}
        />
      ) : (
        <>
          {view.status !== 'Picked Up' && (
            <SelectField label="Pickup zone" {...field('pickupZone')}>
              <ZoneOptions zones={zones} />
            </SelectField>
          )}
          <SelectField label="Drop-off zone" {...field('dropoffZone')}>
            <ZoneOptions zones={zones} />
          </SelectField>
        </>
      )}
      {view.status !== 'Picked Up' && (
        <TextField label="Pickup place" maxLength={maxPlaceText} {...field('pickup')} />
      )}
      <TextField label="Drop-off place" maxLength={maxPlaceText} {...field('dropoff')} />
    </ReasonDialog>
  )
}

type Typed = Record<
  | 'recipientName'
  | 'recipientPhone'
  | 'pickupZone'
  | 'dropoffZone'
  | 'pickup'
  | 'dropoff'
  | 'offer',
  string
>

/** What differs from the request; nothing while nothing does, or something cannot be. */
function correctionOf(view: Delivery, typed: Typed): Correction | undefined {
  const recipientPhone = normalizePhone(typed.recipientPhone)
  const offer = parseAmount(typed.offer)
  if (!isPhone(recipientPhone) || typed.recipientName.trim() === '') return undefined
  if (isOnOffer(view) && (offer === undefined || offer < view.offer)) return undefined
  const all: Correction = {
    recipientName: typed.recipientName.trim(),
    recipientPhone,
    pickupZone: typed.pickupZone,
    dropoffZone: typed.dropoffZone,
    offer,
  }
  const changed = Object.entries(all).filter(
    ([field, value]) => value !== undefined && value !== view[field as keyof Delivery],
  )
  const correction: Correction = Object.fromEntries(changed)
  const pickup = typed.pickup.trim()
  const dropoff = typed.dropoff.trim()
  if (pickup !== (view.pickupPlace?.text ?? ''))
    correction.pickupPlace = { ...view.pickupPlace, text: pickup }
  if (dropoff !== (view.dropoffPlace?.text ?? ''))
    correction.dropoffPlace = { ...view.dropoffPlace, text: dropoff }
  return Object.keys(correction).length > 0 ? correction : undefined
}
