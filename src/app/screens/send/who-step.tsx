import { shortPrice } from '#domain/money.ts'
import { normalizePhone } from '#domain/users/phone.ts'
import type { WayDrivers } from '#domain/way-guide.ts'
import { paymentMode } from '#store/queries/config/payment-mode.ts'
import { routePrices, suggestions } from '#store/queries/suggestions.ts'
import { wayGuide, wayGuideRef } from '#store/queries/way-guide.ts'
import type { WayGuide } from '#store/rows.ts'
import { Chips } from '../../components/forms/chips.tsx'
import { PhoneField, TextField } from '../../components/forms/fields.tsx'
import { Consent } from '../../components/page/consent.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { PayerFields } from '../../components/payment/payer-fields.tsx'
import { useFirst } from '../../hooks/use-first.ts'
import { useOwn, useWatch } from '../../hooks/use-live.ts'
import { usualPrice } from '../../texts/way/usual-price.ts'
import { type Mode, payerIn, type SendFormState } from './use-send-form.ts'

/** Who receives it, who sends it, and for how much. */
export function WhoStep({ state, mode }: { state: SendFormState; mode: Mode }) {
  const { draft, bind, change } = state
  const found = useOwn(suggestions)
  const route = { from: draft.pickupZone, to: draft.dropoffZone }
  const prices = useOwn(routePrices, route)
  const payments = useOwn(paymentMode)
  useWatch(wayGuideRef(route))
  const way = useOwn(wayGuide, route)
  // As it was when the step was opened: a later value would move the fields.
  const known = useFirst(way)
  // What it offers comes with the fields, not after them.
  if (!found || !prices || !way || !payments) return <Loading />
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
          <Consent by="sending this request" />
        </>
      )}
      <Chips
        label="Usual on this route"
        chips={(known?.guide ? [] : prices).map((price) => ({
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
        hint={
          payments !== 'paystack'
            ? 'What you pay the driver, in cedis: by mobile money or in cash, when it is delivered.'
            : 'What you pay the driver, in cedis. It is held until you confirm.'
        }
        {...bind('offer')}
      />
      <Usual way={way} onPick={(offer) => change({ offer })} />
      {payments === 'paystack' && <WhoPays state={state} />}
    </>
  )
}

/** Whose phone asks for the money, once the request has arrived (R173). */
function WhoPays({ state }: { state: SendFormState }) {
  const { draft, change, errorOf, touchAfterClick } = state
  const payer = payerIn(draft)
  const pays = (phone: string) => ({
    key: phone,
    onPick: () => change({ payer: { phone, network: '' } }),
  })
  const others = [
    { ...pays(draft.senderPhone), text: 'I pay' },
    { ...pays(draft.recipientPhone), text: 'The recipient pays' },
  ].filter(({ key }) => key !== '' && key !== payer.phone)
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-2 font-semibold">Payment by mobile money</legend>
      <p className="text-sm text-soft">
        This number is asked to approve it. Drivers see your request once it is paid.
      </p>
      <Chips label="Who pays" chips={others} />
      <PayerFields
        payer={payer}
        errorOf={(field) => errorOf(`payer.${field}`)}
        onBlur={(field) => touchAfterClick(`payer.${field}`)}
        onChange={(part) => change({ payer: { ...payer, ...part } })}
      />
    </fieldset>
  )
}

/** What a way usually costs (R168): a tap fills it in as the offer. And how many drivers go that way (R170). */
function Usual({ way, onPick }: { way: WayGuide; onPick: (offer: string) => void }) {
  const { guide, drivers } = way
  const going = drivers && driversText(drivers)
  if (!guide && !going) return null
  return (
    <div className="-mt-2 grid justify-items-start gap-1" aria-live="polite">
      {guide && (
        <button
          type="button"
          className="min-h-12 text-left font-semibold text-green underline underline-offset-4"
          onClick={() => onPick(String(Math.round(guide.median)))}
        >
          {usualPrice(guide)}
        </button>
      )}
      {going && <p className="text-sm text-soft">{going}</p>}
    </div>
  )
}

/** `About 12 drivers go this way in the morning.`; nothing where there are too few to say. */
function driversText({ morning, evening }: WayDrivers): string | undefined {
  const times: [number, string][] = [
    [morning, 'in the morning'],
    [evening, 'in the evening'],
  ]
  const said = times.filter(([count]) => count > 0).map(([count, when]) => `${count} ${when}`)
  const [first, second] = said
  if (!first) return undefined
  return `About ${first.replace(' ', ' drivers go this way ')}${second ? `, ${second}` : ''}.`
}
