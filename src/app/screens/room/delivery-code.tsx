import { type Actor, isSenderOf } from '#domain/deliveries/delivery.ts'
import { product } from '#domain/product.ts'
import { internationalPhone } from '#domain/users/phone.ts'
import { note } from '#store/database/device/diagnostics.ts'
import { wasCreateRefused } from '#store/deliveries/project.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { copyText } from '../../browser/clipboard.ts'
import { Button, buttonClass } from '../../components/forms/button.tsx'
import { Icon } from '../../components/text/icon.tsx'

/** The delivery code, shown to the sender or guest alone (R50), once the server has sent it. */
export function DeliveryCode({ row, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const { view } = row
  if (!who || !isSenderOf(view, who)) return null
  if (['Delivered', 'Approved', 'Cancelled'].includes(view.status)) return null
  const code = row.known ? view.deliveryCode : undefined
  if (!code) return row.known || wasCreateRefused(row) ? null : <CodePending />
  return (
    <section
      aria-label="Delivery code"
      className="grid gap-3 rounded-hero bg-green-deep p-4 text-center text-white"
    >
      <p className="text-sm text-mint">Share this code only with the recipient</p>
      <p
        data-testid="delivery-code"
        className="pl-[0.12em] font-mono text-[min(3.375rem,19vw)] leading-none font-extrabold tracking-[0.12em]"
      >
        {code}
      </p>
      <ShareCode code={code} row={row} />
    </section>
  )
}

function CodePending() {
  return (
    <section
      aria-label="Delivery code"
      className="grid gap-2 rounded-hero bg-green-deep p-4 text-center text-white"
    >
      <p aria-hidden="true" className="font-mono text-4xl leading-none tracking-[0.2em] text-mint">
        •••••
      </p>
      <p className="text-sm text-mint">Your code appears once the request is sent</p>
    </section>
  )
}

function ShareCode({ code, row }: { code: string; row: DeliveryRow }) {
  const { recipientName, recipientPhone, itemDescription } = row.view
  const text = `Hello ${recipientName ?? ''}, the ${product} delivery code for "${itemDescription}" is ${code}. Give it to the driver only when the item is in your hands.`
  return (
    <div className="flex flex-wrap gap-2 *:flex-1">
      <a
        className={buttonClass('gold', '', true)}
        href={`https://wa.me/${internationalPhone(recipientPhone ?? '')}?text=${encodeURIComponent(text)}`}
        target="_blank"
        rel="noreferrer"
      >
        <Icon name="chat" className="size-5" />
        WhatsApp
      </a>
      <Button look="deep" tight icon="copy" onClick={() => copyText(code, 'The delivery code')}>
        Copy
      </Button>
      {typeof navigator.share === 'function' && (
        <Button
          look="deep"
          tight
          icon="share"
          // Rejects when the person closes the share sheet, too.
          onClick={() =>
            navigator
              .share({ text })
              .catch((error: unknown) => note('The code was not shared', { error }))
          }
        >
          Share
        </Button>
      )}
    </div>
  )
}
