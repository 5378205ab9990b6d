import { Choice } from '#app/components/forms/choice.tsx'
import type { PaymentMode } from '#domain/deliveries/payment.ts'
import { useDemo, useDemoState } from '../demo-context.ts'

const choices: [PaymentMode, string][] = [
  ['direct', 'Directly'],
  ['paystack', 'By a provider'],
]

const about: Record<PaymentMode, string> = {
  direct: 'Senders pay their driver themselves.',
  paystack: 'New requests wait until the sender approves a prompt, which comes to the SMS inbox.',
}

/** Chooses how senders pay from now on. */
export function PaymentChoice() {
  const { setPayments } = useDemo()
  const { payments } = useDemoState()
  return (
    <section className="grid gap-2" aria-labelledby="demo-payments">
      <h3 id="demo-payments" className="font-bold">
        How senders pay
      </h3>
      <Choice
        legend="How senders pay"
        name="demo-payments"
        value={payments}
        choices={choices}
        onChange={setPayments}
      />
      <p className="text-sm text-soft">{about[payments]}</p>
    </section>
  )
}
