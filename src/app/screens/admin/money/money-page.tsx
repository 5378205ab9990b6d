import type { ReactNode } from 'react'
import { fullPrice, toPesewas } from '#domain/money.ts'
import { adminMoney, type MoneyFigures } from '#store/queries/admin/admin.ts'
import { paymentMode } from '#store/queries/config/payment-mode.ts'
import { PageLayout } from '../../../components/page/page.tsx'
import { Skeleton } from '../../../components/page/skeleton.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { isUnavailable, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useNow } from '../../../hooks/time/use-now.ts'
import { useLive, useOwn } from '../../../hooks/use-live.ts'
import { timeOrDate } from '../../../texts/time.ts'
import { ByDay } from './by-day.tsx'
import { type FigureNames, figureNames } from './money-texts.ts'
import { Payouts } from './payouts.tsx'

/** Where all money is (R184), and the payouts of drivers (R183). */
export function Money() {
  return (
    <PageLayout title="Money">
      <Overview>
        <Payouts below={<Days />} />
      </Overview>
    </PageLayout>
  )
}

const shown = ['held', 'owed', 'paidOut', 'refunded', 'fees'] as const

/** `children` come once its height is known: nothing of them moves. */
function Overview({ children }: { children: ReactNode }) {
  const list = useListState(lastDays(useNow(60_000)), 'Failed to load the figures')
  const mode = useLive(paymentMode)
  const figures = useOwn(adminMoney)
  if (!figures && isUnavailable(list))
    return (
      <>
        <ListUnavailable list={list} icon="money" what="The figures come" />
        {children}
      </>
    )
  if (!figures || !mode)
    return (
      <div className={grid} role="status">
        <span className="sr-only">Loading figures</span>
        {shown.map((name) => (
          <Skeleton key={name} className="h-[calc(3.4rem+30px)] rounded-card" />
        ))}
      </div>
    )
  const names = figureNames[mode]
  return (
    <>
      <section className="grid gap-3" aria-label="Figures">
        <dl className={grid}>
          {shown.map((name) => (
            <div key={name} className="card min-w-0 p-3.5">
              <dt className="text-sm text-soft">{names[name]}</dt>
              <dd className="text-lg font-extrabold tracking-tight [overflow-wrap:anywhere] tabular-nums">
                {fullPrice(figures.money[name])}
              </dd>
            </div>
          ))}
        </dl>
        <Sum figures={figures} names={names} />
        {list.is === 'known' && list.stale && (
          <p role="status" className="text-sm text-soft">
            Offline · updated {timeOrDate(list.at)}
          </p>
        )}
        <Differences of={figures.money.differences} />
      </section>
      {children}
    </>
  )
}

/** Last, and after the payouts: nothing below it moves when its plots come, and it does not move when they do. */
function Days() {
  const mode = useLive(paymentMode)
  const days = useOwn(adminMoney)?.days
  return days && mode && <ByDay days={days} names={figureNames[mode]} />
}

const grid = 'grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3'

/** Today and the 29 days before it, of Ghana's calendar, whose time is UTC. */
function lastDays(now: number) {
  const day = (before: number) => new Date(now - before * 86_400_000).toISOString().slice(0, 10)
  return { kind: 'adminMoney', query: `from=${day(29)}&to=${day(0)}` }
}

/** Whether the five figures are all that the ledger says was given. */
function Sum({ figures, names }: { figures: MoneyFigures; names: FigureNames }) {
  const { money, cameIn } = figures
  if (cameIn === undefined) return null
  const pesewas = shown.reduce((sum, name) => sum + toPesewas(money[name]), 0)
  if (pesewas === toPesewas(cameIn))
    return (
      <p className="text-sm text-soft">
        Together {fullPrice(cameIn)}: all that {names.cameIn}.
      </p>
    )
  return (
    <Notice tone="red" title="The figures do not add up">
      <p>
        They are {fullPrice(pesewas / 100)} together, but {fullPrice(cameIn)} {names.cameIn}. Ask
        your operator to verify the ledger.
      </p>
    </Notice>
  )
}

function Differences({ of: found }: { of: string[] }) {
  if (found.length === 0) return null
  const title = found.length === 1 ? '1 difference' : `${found.length} differences`
  return (
    <Notice tone="red" title={`${title} to the payment provider's books`}>
      <ul className="grid list-disc gap-1 pl-5">
        {found.map((text) => (
          <li key={text} className="[overflow-wrap:anywhere]">
            {text}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
