import { isOn, kindsFor } from '#domain/notifications/kinds.ts'
import type { User } from '#domain/users/user.ts'
import { notificationSettings } from '#store/queries/account/notification-state.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useUnsentText } from '../../../components/delivery/unsent/use-unsent-text.ts'
import { Switch } from '../../../components/forms/switch.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { useNotifications } from '../../../hooks/use-notifications.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { waitsForSignal } from '../../../texts/next-step.ts'
import { deviceText, kindTexts, unsupportedTexts } from '../../../texts/notification-texts.ts'
import { QuietHours } from './quiet-hours.tsx'

/** Whether this phone is told with the app closed (R117), and of what all of this person's phones are (R121). */
export function Notifications({ user }: { user: User }) {
  const { commands } = useSoma()
  const said = useUnsentText()
  const { isOn: isOnHere } = useNotifications()
  const found = useLive(notificationSettings)
  const { settings, isWaiting } = found ?? { settings: {}, isWaiting: false }
  const change = (next: Parameters<typeof commands.changeNotifications>[0]) =>
    attempt('Error', () => commands.changeNotifications(next))
  const kinds = kindsFor(user.role)
  return (
    <section className="card grid gap-4" aria-labelledby="notifications">
      <h2 id="notifications">Notifications</h2>
      <ThisPhone />
      {isOnHere && (
        <fieldset className="grid gap-1 border-t border-line pt-3">
          <legend className="sr-only">What you are notified of</legend>
          {kinds.map((kind) => (
            <Switch
              key={kind}
              label={kindTexts[kind]}
              isOn={isOn(settings, kind)}
              onChange={(on) => change({ kinds: { [kind]: on } })}
            />
          ))}
        </fieldset>
      )}
      {isOnHere && user.role === 'driver' && isOn(settings, 'new-job') && (
        <QuietHours settings={settings} onChange={change} />
      )}
      {isWaiting && (
        <span role="status" className="justify-self-start">
          <Tag tone="unsent">{said(waitsForSignal)}</Tag>
        </span>
      )}
    </section>
  )
}

const howItWorks = 'Also when the app is closed. Uses about 1 kB of data each.'

/** The switch of this phone, or why there is none. */
function ThisPhone() {
  const { state, support, isOn: isOnHere, turnOn, turnOff } = useNotifications()
  if (support !== 'ask' && support !== 'on')
    return <p className="text-soft">{unsupportedTexts[support]}</p>
  return (
    <div className="grid gap-1">
      <Switch
        label="On this device"
        isOn={isOnHere}
        onChange={(on) => void (on ? turnOn() : turnOff())}
      />
      <p className="text-sm text-soft" role="status">
        {isOnHere ? deviceText(state, howItWorks) : howItWorks}
      </p>
    </div>
  )
}
