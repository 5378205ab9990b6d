import {
  type Actor,
  isActiveDelivery,
  isDriverOf,
  isSenderOf,
} from '#domain/deliveries/delivery.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { Button } from '../../components/forms/button.tsx'
import { Icon } from '../../components/text/icon.tsx'
import { useNotifications } from '../../hooks/use-notifications.ts'

/** Asks once, after the first request or the first job, whether to tell this person with the app closed (R117). */
export function AskToNotify({ row, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const { state, support, turnOn, dismiss } = useNotifications()
  const { view } = row
  const isSender = who !== undefined && isSenderOf(view, who)
  const isDriver = who !== undefined && 'user' in who && isDriverOf(view, who.user)
  // As long as it is not known it keeps its place: it is nearly always asked, or never.
  if (state && state.choice !== undefined) return null
  if (support !== 'ask' && support !== 'on') return null
  if (!isActiveDelivery(view) || !(isSender || isDriver)) return null
  return (
    <section className="card grid gap-3" aria-labelledby="notify">
      <div className="grid grid-cols-[auto_1fr] items-start gap-3">
        <Icon name="bell" className="mt-0.5 size-6 text-green" />
        <div className="grid gap-1">
          <h2 id="notify">{isSender ? 'Know where your item is' : 'Know when you are paid'}</h2>
          <p className="text-soft">
            {isSender
              ? 'Get a notification when a driver accepts, picks up and delivers, even when the app is closed.'
              : 'Get a notification when the sender approves or cancels, even when the app is closed.'}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2 *:flex-auto">
        <Button onClick={turnOn}>Turn on</Button>
        <Button look="line" onClick={dismiss}>
          Not now
        </Button>
      </div>
    </section>
  )
}
