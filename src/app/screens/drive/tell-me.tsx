import {
  isOn as isKindOn,
  maxNotifiedRoutes,
  type NotificationChange,
} from '#domain/notifications/kinds.ts'
import type { NotificationSettings, NotifiedRoute } from '#domain/users/notification-settings.ts'
import type { OfferedRoute } from '#store/deliveries/offered-route.ts'
import { notificationSettings } from '#store/queries/account/notification-state.ts'
import { attempt } from '../../browser/attempt.ts'
import { Button, ButtonLink } from '../../components/forms/button.tsx'
import { Tag } from '../../components/text/tag.tsx'
import { useLive } from '../../hooks/use-live.ts'
import { useNotifications } from '../../hooks/use-notifications.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'
import { waitsForSignal } from '../../texts/next-step.ts'
import { deviceText, unsupportedTexts } from '../../texts/notification-texts.ts'

/** Turns news of this route's jobs on in one tap, and off again (R120). */
export function TellMe({ route }: { route: OfferedRoute }) {
  const { commands } = useSoma()
  const { state, support, isOn, turnOn } = useNotifications()
  const found = useLive(notificationSettings)
  if (!found || !state?.isOffered) return null
  if (support !== 'ask' && support !== 'on')
    return <p className="text-sm text-soft">{unsupportedTexts[support]}</p>
  const { settings, isWaiting } = found
  const here = { from: route.pickupZone ?? '*', to: route.dropoffZone ?? '*' }
  const { routes = [] } = settings
  const isTold = isOn && isKindOn(settings, 'new-job')
  const change = (next: (now: NotificationSettings) => NotificationChange) =>
    attempt('Error', () => commands.changeNotifications(next))
  const add = async () => {
    if (!isOn && !(await turnOn())) return
    await change((now) => ({
      kinds: { 'new-job': true },
      routes: [...without(now.routes, here), here],
    }))
  }
  if (isTold && routes.some((each) => covers(each, here)))
    return (
      <div className="grid justify-items-center gap-2">
        <div role="status" className="grid justify-items-center gap-1">
          <strong>We&rsquo;ll tell you when a job comes up</strong>
          <span className="text-sm text-soft">
            {deviceText(state, 'At most 5 notifications a day, and none in your quiet hours.')}
          </span>
          {isWaiting && <Tag tone="unsent">{waitsForSignal}</Tag>}
        </div>
        {routes.some((each) => isSame(each, here)) ? (
          <Button
            look="line"
            icon="bell"
            onClick={() => change((now) => ({ routes: without(now.routes, here) }))}
          >
            Don&rsquo;t tell me
          </Button>
        ) : (
          <ButtonLink look="line" icon="bell" to={paths.profile}>
            Change your routes
          </ButtonLink>
        )}
      </div>
    )
  if (routes.length >= maxNotifiedRoutes)
    return (
      <div className="grid justify-items-center gap-2">
        <p className="text-sm text-soft">
          We tell you of {maxNotifiedRoutes} routes at most. Remove one to add this.
        </p>
        <ButtonLink look="line" icon="bell" to={paths.profile}>
          Change your routes
        </ButtonLink>
      </div>
    )
  return (
    <Button icon="bell" onClick={add}>
      Tell me when a job comes up
    </Button>
  )
}

const isSame = (one: NotifiedRoute, other: NotifiedRoute) =>
  one.from === other.from && one.to === other.to

const without = (routes: readonly NotifiedRoute[] = [], route: NotifiedRoute) =>
  routes.filter((each) => !isSame(each, route))

/** Whether who is told of the first hears of every job of the second. */
const covers = (told: NotifiedRoute, route: NotifiedRoute) =>
  (told.from === '*' || told.from === route.from) && (told.to === '*' || told.to === route.to)
