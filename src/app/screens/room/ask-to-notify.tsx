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
import { deviceText } from '../../texts/notification-texts.ts'

/**
 * Asks once, after the first request or the first job, whether to tell this person with the app closed (R117). A guest,
 * who has no account screen, changes it here afterwards.
 */
export function AskToNotify({ row, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const notifications = useNotifications()
  const { state, support, turnOn, dismiss } = notifications
  const { view } = row
  const isSender = who !== undefined && isSenderOf(view, who)
  const isDriver = who !== undefined && 'user' in who && isDriverOf(view, who.user)
  if (support !== 'ask' && support !== 'on') return null
  if (!isActiveDelivery(view) || !(isSender || isDriver)) return null
  // As long as it is not known it keeps its place: it is nearly always asked, or never.
  if (state && state.choice !== undefined)
    return 'guestOf' in who ? <GuestSwitch of={notifications} /> : null
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

/** What a guest chose on this device, and how to change it. */
function GuestSwitch({ of }: { of: ReturnType<typeof useNotifications> }) {
  const { state, isOn, turnOn, turnOff } = of
  return (
    <section
      className="flex items-center justify-between gap-3 text-sm text-soft"
      aria-label="Notifications on this device"
    >
      <p role="status">
        {isOn
          ? deviceText(state, 'Notifications are on for this device.')
          : 'Notifications are off for this device.'}
      </p>
      <Button look="line" className="shrink-0" onClick={() => void (isOn ? turnOff() : turnOn())}>
        {isOn ? 'Turn off' : 'Turn on'}
      </Button>
    </section>
  )
}
