import { paymentMode } from '#store/queries/config/payment-mode.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Kente } from '../../components/page/skeleton.tsx'
import { useLive } from '../../hooks/use-live.ts'

const guidesFor = (isDirect: boolean) => [
  {
    who: 'For senders',
    steps: [
      ['Create a request', 'Item details, pickup and drop-off zones, and your offer.'],
      ['A driver accepts', 'You are notified as soon as somebody takes it.'],
      ['On its way', 'The item is picked up and tracked in the delivery room.'],
      [
        'Confirm receipt',
        isDirect
          ? 'You pay the driver, by mobile money or in cash, and confirm, which completes the job.'
          : 'You confirm, which completes the job and releases the payment to the driver.',
      ],
    ],
  },
  {
    who: 'For drivers',
    steps: [
      ['Enter your route', 'Tell us where you are and where you go, to find jobs on the way.'],
      ['Accept and pick up', 'Accept a job, go to the pickup and update its status in the app.'],
      ['Drop off', 'Hand it over and confirm in the app with the delivery code.'],
      [
        'Get paid',
        isDirect
          ? 'The sender pays you, by mobile money or in cash, and confirms.'
          : 'You are paid once the sender confirms.',
      ],
    ],
  },
]

/** Two guides of four steps each. */
export default function HowItWorks({ onClose }: { onClose: () => void }) {
  const isDirect = useLive(paymentMode) !== 'paystack'
  return (
    <Dialog title="How It Works" onClose={onClose}>
      <Kente className="rounded-full" />
      {guidesFor(isDirect).map(({ who, steps }) => (
        <section key={who} className="grid gap-3">
          <h3 className="font-bold text-green">{who}</h3>
          <ol className="grid gap-3">
            {steps.map(([title, text], at) => (
              <li key={title} className="flex gap-3.5">
                <span
                  aria-hidden="true"
                  className="mt-1.5 grid size-6 shrink-0 [transform:rotate(45deg)] place-items-center rounded-[5px] bg-gold"
                >
                  <span className="[transform:rotate(-45deg)] text-[14px] font-extrabold text-on-gold">
                    {at + 1}
                  </span>
                </span>
                <span className="grid">
                  <strong>{title}</strong>
                  <span className="text-sm text-soft">{text}</span>
                </span>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </Dialog>
  )
}
