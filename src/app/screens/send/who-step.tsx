import { shortPrice } from '#domain/money.ts'
import { normalizePhone } from '#domain/users/phone.ts'
import { routePrices, suggestions } from '#store/queries/suggestions.ts'
import { PhoneField, TextField } from '../../components/forms/fields.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { useOwn } from '../../hooks/use-live.ts'
import { Chips } from './chips.tsx'
import type { Mode, SendFormState } from './use-send-form.ts'

/** Who receives it, who sends it, and for how much. */
export function WhoStep({ state, mode }: { state: SendFormState; mode: Mode }) {
  const { draft, bind, change } = state
  const found = useOwn(suggestions)
  const route = { from: draft.pickupZone, to: draft.dropoffZone }
  const prices = useOwn(routePrices, route)
  // What it offers comes with the fields, not after them.
  if (!found || !prices) return <Loading />
  const own = mode === 'guest' && draft.senderName === '' ? found.own : undefined
  return (
    <>
      <Chips
        label="Recent recipients"
        chips={found.recipients.map(({ name, phone }) => ({
          key: `${name}|${phone}`,
          text: name,
          onPick: () => change({ recipientName: name, recipientPhone: phone }),
        }))}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Recipient name" autoComplete="off" {...bind('recipientName')} />
        <PhoneField
          label="Recipient phone"
          autoComplete="off"
          {...bind('recipientPhone', normalizePhone)}
        />
      </div>
      {mode === 'guest' && (
        <>
          <Chips
            label="You"
            chips={
              own
                ? [
                    {
                      key: own.phone,
                      text: `${own.name} · ${own.phone}`,
                      onPick: () => change({ senderName: own.name, senderPhone: own.phone }),
                    },
                  ]
                : []
            }
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label="Your name" autoComplete="name" {...bind('senderName')} />
            <PhoneField
              label="Your phone"
              autoComplete="tel-national"
              {...bind('senderPhone', normalizePhone)}
            />
          </div>
        </>
      )}
      <Chips
        label="Usual on this route"
        chips={prices.map((price) => ({
          key: String(price),
          text: shortPrice(price),
          onPick: () => change({ offer: String(price) }),
        }))}
      />
      <TextField
        label="Offer (₵)"
        inputMode="decimal"
        autoComplete="off"
        placeholder="60"
        hint="What you pay the driver, in cedis. It is paid only when you confirm."
        {...bind('offer')}
      />
    </>
  )
}
