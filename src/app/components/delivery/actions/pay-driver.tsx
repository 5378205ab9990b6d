import type { PaidBy } from '#domain/deliveries/payment.ts'
import { fullPrice } from '#domain/money.ts'
import { type Contact, firstNameOf } from '#domain/users/user.ts'
import { copyText } from '../../../browser/device/clipboard.ts'
import { Button, buttonClass } from '../../forms/button.tsx'
import { ReasonChoice } from '../../forms/reasons/reason-choice.tsx'
import { Icon } from '../../text/icon.tsx'
import { Verbatim } from '../../text/verbatim.tsx'

const ways = [
  ['momo', 'Mobile money'],
  ['cash', 'Cash'],
] as const satisfies [PaidBy, string][]

type Props = {
  driver: Contact | undefined
  /** What is to be paid. */
  cedis: number
  paidBy: PaidBy | undefined
  onChange: (paidBy: PaidBy) => void
}

/** How a sender pays the driver themselves, and what they need for it (R171). */
export function PayDriver({ driver, cedis, paidBy, onChange }: Props) {
  const name = driver ? firstNameOf(driver.name) : 'the driver'
  return (
    <div className="grid gap-3">
      <ReasonChoice
        legend={`How do you pay ${name}?`}
        value={paidBy}
        choices={ways}
        onChange={onChange}
      />
      <div aria-live="polite" className="empty:hidden">
        {paidBy === 'momo' && <Momo phone={driver?.phone} name={name} cedis={cedis} />}
        {paidBy === 'cash' && (
          <p>
            Give {name} {whole(cedis)} in cash.
          </p>
        )}
      </div>
    </div>
  )
}

/** A sender's own phone sends the money: by the network's menu, which `*170#` opens. */
function Momo(props: { phone: string | undefined; name: string; cedis: number }) {
  const { phone, name, cedis } = props
  if (!phone)
    return (
      <p>
        Ask {name} for the number, and send {whole(cedis)}.
      </p>
    )
  return (
    <div className="grid gap-2 rounded-control bg-green-wash p-3.5 text-ink">
      <p>
        Send {whole(cedis)} to <Verbatim className="font-bold whitespace-nowrap">{phone}</Verbatim>
      </p>
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button
          look="edge"
          tight
          icon="copy"
          aria-label="Copy number"
          onClick={() => copyText(phone, `${name}'s number`)}
        >
          Copy
        </Button>
        <a className={buttonClass('edge', '', true)} href="tel:*170%23">
          <Icon name="phone" className="size-5" />
          Dial <Verbatim className="whitespace-nowrap">*170#</Verbatim>
        </a>
      </div>
    </div>
  )
}

/** An amount that is not broken between its sign and its digits. */
const whole = (cedis: number) => fullPrice(cedis).replace(' ', '\u00a0')
