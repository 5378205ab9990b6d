import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Rating } from '#domain/users/rating.ts'
import { firstNameOf } from '#domain/users/user.ts'
import { disputesAbout } from '#store/queries/admin/admin.ts'
import { Link } from '../../../components/forms/link.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { useOwn } from '../../../hooks/use-live.ts'
import { longDate } from '../../../texts/time.ts'
import { disputePath } from '../links.ts'

/** Every dispute about a delivery, each with a link to where it is decided. */
export function DisputesAbout({ id }: { id: string }) {
  const disputes = useOwn(disputesAbout, id) ?? []
  if (disputes.length === 0) return null
  return (
    <section className="grid gap-2" aria-label="Disputes">
      <h3 className="font-bold">Disputes</h3>
      <ul className="grid gap-2">
        {disputes.map(({ ID, issue, status = 'open', reporter, CreatedAt, resolution }) => (
          <li key={ID} className="grid gap-1 border-t border-line pt-2">
            <span className="flex flex-wrap items-center gap-2">
              <Link
                to={disputePath(ID)}
                className="grid min-h-12 min-w-0 flex-1 content-center font-bold [overflow-wrap:anywhere] text-green underline underline-offset-4"
              >
                {issue ?? 'N/A'}
              </Link>
              <Tag tone={status === 'resolved' ? 'green' : 'red'}>{status}</Tag>
            </span>
            <span className="text-sm text-soft">
              {reporter?.side === 'driver' ? 'Driver' : 'Sender'} · {longDate(CreatedAt)}
            </span>
            {resolution && <p className="text-sm [overflow-wrap:anywhere]">{resolution}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What each side said of the other (R113). */
export function RatingsOf({
  view: { ratings = {}, sender, senderName, driver },
}: {
  view: Delivery
}) {
  const given: [string, Rating | undefined][] = [
    [firstNameOf(sender?.name ?? senderName ?? 'Sender'), ratings.sender],
    [firstNameOf(driver?.name ?? 'Driver'), ratings.driver],
  ]
  if (!ratings.sender && !ratings.driver) return null
  return (
    <section className="grid gap-2" aria-label="Ratings">
      <h3 className="font-bold">Ratings</h3>
      {given.map(
        ([who, rating]) =>
          rating && (
            <p key={who} className="[overflow-wrap:anywhere]">
              {who}: {rating.stars} of 5{rating.words && `, “${rating.words}”`}
            </p>
          ),
      )}
    </section>
  )
}
