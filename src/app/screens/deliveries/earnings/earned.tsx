import { shortPrice, toCedis } from '#domain/money.ts'
import { tallyOf, type Whereabouts } from '#domain/payouts/earnings.ts'
import { payoutAt } from '#domain/payouts/payout-numbers.ts'
import { paymentMode } from '#store/queries/config/payment-mode.ts'
import { saveFile } from '../../../browser/device/save-file.ts'
import { Button, ButtonLink } from '../../../components/forms/button.tsx'
import { ListEnd } from '../../../components/list/list-end.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { isUnavailable, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useOlder } from '../../../hooks/lists/use-older-rows.ts'
import { useNow } from '../../../hooks/time/use-now.ts'
import { useLive, useOwn } from '../../../hooks/use-live.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { fullDay, shortDay, timeAgo } from '../../../texts/time.ts'
import { Amount } from './amount.tsx'
import { earningsFile, placeNames } from './earnings-texts.ts'
import { type JobEarning, jobEarnings, type Week, weeksOf } from './job-earnings.ts'
import { WeekOfEarnings } from './week.tsx'

/** What a driver has earned by day and week, of the jobs on this phone (R182). */
export function Earned() {
  const list = useListState({ kind: 'jobs' }, 'Failed to load your jobs')
  const found = useOwn(jobEarnings)
  const mode = useLive(paymentMode)
  const older = useOlder({ kind: 'jobs' })
  const now = useNow(30_000)
  if (!found || !mode || (found.jobs === 0 && list.is === 'unknown')) return <Loading />
  const { earned, jobs, since } = found
  if (jobs === 0 && isUnavailable(list))
    return <ListUnavailable list={list} icon="money" what="Your earnings load" />
  if (earned.length === 0 && older.older === 'none')
    return (
      <Empty icon="money" title="Nothing earned yet">
        What you earn is listed here by day and week.
      </Empty>
    )
  const today = new Date(now).toISOString().slice(0, 10)
  return (
    <>
      {list.is === 'known' && list.stale && (
        <p className="text-sm text-soft">Offline · updated {timeAgo(list.at, now)}</p>
      )}
      <Problems earned={earned} now={now} />
      <Sums earned={earned} today={today} names={placeNames[mode]} />
      {weeksOf(earned, today).map((week, at) => (
        <WeekOfEarnings
          key={week.days[0]?.day}
          week={week}
          title={at === 0 ? 'This week' : titleOf(week)}
        />
      ))}
      {older.older !== 'none' && since && (
        <p className="text-sm text-soft">
          This phone has your jobs since {shortDay(since, now)}. Older ones are not counted yet.
        </p>
      )}
      <ListEnd {...older} count={jobs} what="jobs" />
    </>
  )
}

/** `16 Nov to 22 Nov 2026` */
const titleOf = ({ days }: Week) =>
  `${fullDay(days[0]?.day ?? '').replace(/ \d{4}$/, '')} to ${fullDay(days[6]?.day ?? '')}`

const alwaysShown: Whereabouts[] = ['paid', 'approval']
const others: Whereabouts[] = ['waiting', 'onItsWay', 'failed']

type SumsProps = { earned: JobEarning[]; today: string; names: Record<Whereabouts, string> }

function Sums({ earned, today, names }: SumsProps) {
  const week = weeksOf(earned, today)[0]?.earned ?? []
  const all = tallyOf(earned)
  const parts = [...alwaysShown, ...others.filter((where) => all[where] > 0)]
  return (
    <section className="card grid gap-4" aria-labelledby="earned">
      <h2 id="earned">Overview</h2>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.5rem),1fr))] gap-3">
        <Amount
          name="Today"
          pesewas={tallyOf(earned.filter(({ day }) => day === today)).net}
          isHighlighted
        />
        <Amount name="This week" pesewas={tallyOf(week).net} />
        {parts.map((where) => (
          <Amount key={where} name={names[where]} pesewas={all[where]} />
        ))}
      </dl>
      <p className="text-sm text-soft tabular-nums">
        All jobs: offers {price(all.offers)}
        {all.tips > 0 && `, tips ${price(all.tips)}`}
        {all.fees > 0 && `, fees ${price(all.fees)}`}. You earned {price(all.net)}.
      </p>
      <Button
        look="line"
        icon="down"
        className="justify-self-start"
        onClick={() => saveFile(earningsFile(earned), 'earnings', 'csv')}
      >
        Download CSV
      </Button>
    </section>
  )
}

const price = (pesewas: number) => shortPrice(toCedis(pesewas))

/** What keeps money from the driver that they can do something about: a provider needs a number that works (R175). */
function Problems({ earned, now }: { earned: JobEarning[]; now: number }) {
  const { user } = useVisitor()
  const { waiting, failed } = tallyOf(earned.filter(({ isDirect }) => !isDirect))
  const hasNumber = user !== undefined && payoutAt(user, now) !== undefined
  if (failed > 0)
    return (
      <Notice tone="red" title={`${price(failed)} could not be paid`}>
        <p>Check that your payout number is right. Then support sends it again.</p>
        <PayoutLink>Check your number</PayoutLink>
      </Notice>
    )
  if (waiting > 0 && !hasNumber)
    return (
      <Notice title={`${price(waiting)} waits for your payout number`}>
        <p>Add the mobile money number you want to be paid to. Then it is sent.</p>
        <PayoutLink>Add payout number</PayoutLink>
      </Notice>
    )
  return null
}

const PayoutLink = ({ children }: { children: string }) => (
  <ButtonLink look="edge" className="justify-self-start" to={`${paths.profile}#payout`}>
    {children}
  </ButtonLink>
)
