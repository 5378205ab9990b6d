import type { ReactNode } from 'react'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { paidToDriver, totalOf } from '#domain/deliveries/payment.ts'
import { shortPrice, toCedis, toPesewas } from '#domain/money.ts'
import type { Details } from '#store/queries/admin/admin.ts'
import { Link } from '../../../components/forms/link.tsx'
import { Stars } from '../../../components/person/stars.tsx'
import { Facts } from '../../../components/text/facts.tsx'
import { longDate } from '../../../texts/time.ts'
import { disputePath } from '../links.ts'

/** What a person did: in numbers, in words of others, their disputes, and where they are logged in. */
export function PersonRecord({ details }: { details: Details }) {
  const { user, about } = details
  const views = (details.deliveries ?? []).map(({ view }) => view)
  const words = wordsAbout(user.ID, views)
  return (
    <>
      {details.deliveries && (
        <Part title={views.length < details.total ? `Newest ${views.length} deliveries` : 'Record'}>
          <Facts isTwoColumns of={numbersOf(user.ID, views, about?.gaveBack ?? 0)} />
        </Part>
      )}
      {words.length > 0 && (
        <Part title="Ratings in words">
          {words.map(({ at, stars, text }) => (
            <div key={at} className="grid gap-0.5 border-t border-line pt-2">
              <Stars of={stars} />
              <p className="[overflow-wrap:anywhere]">{text}</p>
              <span className="text-sm text-soft">{longDate(at)}</span>
            </div>
          ))}
        </Part>
      )}
      {about && about.disputes.length > 0 && (
        <Part title={`Disputes (${about.disputes.length})`}>
          {about.disputes.map(({ ID, issue, status, at }) => (
            <Link key={ID} to={disputePath(ID)} className="grid gap-0.5 border-t border-line py-2">
              <span className="font-semibold text-green underline [overflow-wrap:anywhere]">
                {issue}
              </span>
              <span className="text-sm text-soft">
                <span className="capitalize">{status}</span> · {longDate(at)}
              </span>
            </Link>
          ))}
        </Part>
      )}
      {about && (
        <Part title={`Logged in on (${about.sessions.length})`}>
          {about.sessions.length === 0 && <p className="text-soft">No device</p>}
          {about.sessions.map(({ device, createdAt, usedAt }) => (
            <div key={`${createdAt} ${device}`} className="grid gap-0.5 border-t border-line pt-2">
              <strong>{device || 'Unknown device'}</strong>
              <span className="text-sm text-soft">Last used {longDate(usedAt)}</span>
            </div>
          ))}
        </Part>
      )}
    </>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="card grid gap-3" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)

const sum = (views: Delivery[], pesewas: (view: Delivery) => number) =>
  shortPrice(toCedis(views.reduce((all, view) => all + pesewas(view), 0)))

function numbersOf(id: string, views: Delivery[], gaveBack: number) {
  const sent = views.filter(({ sender }) => sender?.id === id)
  const carried = views.filter(({ driver }) => driver?.id === id)
  const cancelled = sent.filter(({ status }) => status === 'Cancelled').length
  const approved = sent.filter(({ status }) => status === 'Approved')
  const ended = carried.filter(({ status }) => status === 'Approved' || status === 'Cancelled')
  return [
    ['Sent', `${sent.length}`],
    ['Cancelled', `${cancelled}`],
    ['Paid as sender', sum(approved, (view) => toPesewas(totalOf(view)))],
    ['Carried', `${carried.length}`],
    ['Gave back', `${gaveBack}`],
    ['Earned as driver', sum(ended, paidToDriver)],
  ] as const
}

/** What the other side wrote with its stars (R113), newest first. */
function wordsAbout(id: string, views: Delivery[]) {
  return views.flatMap(({ sender, driver, ratings }) => {
    const given =
      driver?.id === id ? ratings?.sender : sender?.id === id ? ratings?.driver : undefined
    return given?.words ? [{ at: given.at, stars: given.stars, text: given.words }] : []
  })
}
