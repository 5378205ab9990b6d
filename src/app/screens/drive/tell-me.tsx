import { isOn as isKindOn } from '#domain/notifications/kinds.ts'
import type { Commute } from '#domain/users/commute.ts'
import { everyDay, maxCommutes } from '#domain/users/commutes.ts'
import { isWay, type Offered } from '#store/deliveries/offered-route.ts'
import { notificationSettings } from '#store/queries/account/notification-state.ts'
import { ownCommutes } from '#store/queries/account/own-commutes.ts'
import { attempt } from '../../browser/attempt.ts'
import { Button, ButtonLink } from '../../components/forms/button.tsx'
import { Tag } from '../../components/text/tag.tsx'
import { useLive } from '../../hooks/use-live.ts'
import { useNotifications } from '../../hooks/use-notifications.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'
import { waitsForSignal } from '../../texts/next-step.ts'
import { deviceText, unsupportedTexts } from '../../texts/notification-texts.ts'

/** Turns news of jobs on this way on in one tap, as a commute of every day, and off again (R120, R166). */
export function TellMe({ offered }: { offered: Offered }) {
  const { commands } = useSoma()
  const { state, support, isOn, turnOn } = useNotifications()
  const found = useLive(notificationSettings)
  const own = useLive(ownCommutes)
  if (!found || !own || !state?.isOffered) return null
  if (support !== 'ask' && support !== 'on')
    return <p className="text-sm text-soft">{unsupportedTexts[support]}</p>
  const here = isWay(offered) ? { from: offered.from, to: offered.to } : { from: '*', to: '*' }
  const { commutes, waiting } = own
  const isTold = isOn && isKindOn(found.settings, 'new-job')
  const change = (next: (now: readonly Commute[]) => Commute[]) =>
    attempt('Error', () => commands.changeCommutes(next))
  const add = async () => {
    if (!isOn && !(await turnOn())) return
    await attempt('Error', () => commands.changeNotifications({ kinds: { 'new-job': true } }))
    await change((now) => [
      ...now.filter((each) => !isSame(each, here)),
      { ...here, days: [...everyDay], notify: true },
    ])
  }
  const told = commutes.find((each) => each.notify && covers(each, here))
  if (isTold && told)
    return (
      <div className="grid justify-items-center gap-2">
        <div role="status" className="grid justify-items-center gap-1">
          <strong>We&rsquo;ll tell you when a job comes up</strong>
          <span className="text-sm text-soft">
            {deviceText(state, 'At most 5 notifications a day, and none in your quiet hours.')}
          </span>
          {(found.isWaiting || waiting) && <Tag tone="unsent">{waitsForSignal}</Tag>}
        </div>
        {isSame(told, here) && !told.leaves && !told.returns ? (
          <Button
            look="line"
            icon="bell"
            onClick={() => change((now) => now.filter((each) => !isSame(each, here)))}
          >
            Don&rsquo;t tell me
          </Button>
        ) : (
          <ButtonLink look="line" icon="bell" to={paths.profile}>
            Change your commutes
          </ButtonLink>
        )}
      </div>
    )
  if (commutes.length >= maxCommutes)
    return (
      <div className="grid justify-items-center gap-2">
        <p className="text-sm text-soft">
          You can keep {maxCommutes} commutes. Delete one to add this.
        </p>
        <ButtonLink look="line" icon="bell" to={paths.profile}>
          Change your commutes
        </ButtonLink>
      </div>
    )
  return (
    <Button icon="bell" onClick={add}>
      Tell me when a job comes up
    </Button>
  )
}

type Trip = Pick<Commute, 'from' | 'to'>

const isSame = (one: Trip, other: Trip) => one.from === other.from && one.to === other.to

/** Whether who is told of the first hears of every job of the second. */
const covers = (told: Trip, way: Trip) =>
  (told.from === '*' || told.from === way.from) && (told.to === '*' || told.to === way.to)
