import { type Actor, isSenderOf } from '#domain/deliveries/delivery.ts'
import { isUnpaid } from '#domain/deliveries/payment.ts'
import { can } from '#operations/rules.ts'
import { wasCreateRefused } from '#store/deliveries/project.ts'
import { handoverKey } from '#store/queries/room.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../browser/attempt.ts'
import { Button } from '../../components/forms/button.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { useLive } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { ShareCode } from './share/share-code.tsx'

type Props = { row: DeliveryRow; who: Actor | undefined }

/** The delivery code, shown to the sender or guest alone (R50), once the server has sent it. */
export function DeliveryCode({ row, who }: Props) {
  const { view } = row
  const key = useLive(handoverKey, { account: row.account, ID: row.ID })
  if (!who || !isSenderOf(view, who)) return null
  if (['Delivered', 'Approved', 'Cancelled'].includes(view.status)) return null
  if (view.codeLocked) return <LockedCode row={row} who={who} />
  // On its way back, the return code stands in its place (R105).
  if (view.returning) return null
  // Whoever gets the link reads that it waits for a driver.
  if (row.known && isUnpaid(view)) return <CodePending text="Your code appears once it is paid" />
  const code = row.known ? view.deliveryCode : undefined
  if (!code && isRenewing(row))
    return <CodePending text="Your new code appears when you're online" />
  if (!code)
    return row.known || wasCreateRefused(row) ? null : (
      <CodePending text="Your code appears once the request is sent" />
    )
  return (
    <section
      aria-label="Delivery code"
      className="grid gap-3 rounded-hero bg-green-deep p-4 text-center text-white"
    >
      <p className="text-sm text-mint">
        {key?.isResent
          ? 'Share the link and code again, only with the recipient'
          : view.newCodes
            ? 'A new code. Share it only with the recipient, again'
            : 'Share this code only with the recipient'}
      </p>
      <p
        data-testid="delivery-code"
        translate="no"
        className="pl-[0.12em] font-mono text-[min(3.375rem,19vw)] leading-none font-extrabold tracking-[0.12em]"
      >
        {code}
      </p>
      <ShareCode view={view} code={code} secret={key?.secret} />
    </section>
  )
}

const isRenewing = ({ marks }: DeliveryRow) =>
  marks.some(({ op, state }) => op === 'renewCode' && state !== 'refused')

function CodePending({ text }: { text: string }) {
  return (
    <section
      aria-label="Delivery code"
      className="grid gap-2 rounded-hero bg-green-deep p-4 text-center text-white"
    >
      <p aria-hidden="true" className="font-mono text-4xl leading-none tracking-[0.2em] text-mint">
        •••••
      </p>
      <p className="text-sm text-mint">{text}</p>
    </section>
  )
}

/** After too many wrong tries only the QR code works, or a new code (R135). */
function LockedCode({ row, who }: Props) {
  const { commands } = useSoma()
  const isOffered = can(who, 'renewCode', row.view)
  return (
    <section aria-label="Delivery code">
      <Notice tone="red" title="The delivery code is locked">
        <p className="text-sm">
          Too many wrong codes were tried. The recipient's QR code still works.{' '}
          {isOffered
            ? 'Get a new code and share it with the recipient again.'
            : 'There are no more new codes: contact support if you need help.'}
        </p>
        {isOffered && (
          <Button
            onClick={() =>
              attempt('Error', () => commands.renewCode(row.ID), 'Failed to update status')
            }
          >
            New code
          </Button>
        )}
      </Notice>
    </section>
  )
}
