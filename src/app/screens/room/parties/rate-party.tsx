import { type FormEvent, type ReactNode, useState } from 'react'
import type { Actor } from '#domain/deliveries/delivery.ts'
import { sideOf } from '#domain/deliveries/rate.ts'
import { times } from '#domain/product.ts'
import { maxRatingWords, type Rating } from '#domain/users/rating.ts'
import { can } from '#operations/rules.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button } from '../../../components/forms/button.tsx'
import { TextAreaField } from '../../../components/forms/fields.tsx'
import { UndoButton } from '../../../components/forms/undo-button.tsx'
import { StarField, Stars, starsText } from '../../../components/person/stars.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { useSessionText } from '../../../hooks/forms/use-session-text.ts'
import { useEntry } from '../../../hooks/use-entry.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { driverOf, senderOf, upperFirst } from '../../../texts/steps/step.ts'

type Props = { row: DeliveryRow; who: Actor | undefined }

/** What the two sides say of each other after the delivery (R113). */
export function RatingCard({ row, who }: Props) {
  const side = who && sideOf(row.view, who)
  if (!side) return null
  const { ratings } = row.view
  const given = ratings?.[side]
  const received = ratings?.[side === 'sender' ? 'driver' : 'sender']
  const other = side === 'sender' ? driverOf(row) : senderOf(row)
  const canRate = !given && can(who, 'rateDelivery', row.view)
  if (!given && !received && !canRate) return null
  return (
    <section aria-label="Ratings" className="card grid gap-4">
      {canRate && <RatingForm row={row} other={other} />}
      {given && (
        <Given title={`You gave ${starsText(given.stars)}`} rating={given}>
          <Unsent row={row} />
        </Given>
      )}
      {received && (
        <Given
          title={`${upperFirst(other)} gave you ${starsText(received.stars)}`}
          rating={received}
        />
      )}
    </section>
  )
}

function RatingForm({ row, other }: { row: DeliveryRow; other: string }) {
  const { commands } = useSoma()
  const { text, type, clear } = useSessionText(`rating:${row.ID}`)
  const [stars, setStars] = useState<number>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (stars === undefined) return
    const rating = { stars, words: text.trim() || undefined }
    const rate = () => commands.rateDelivery(row.ID, rating, { holdFor: times.undo })
    if (await attempt('Error', rate, 'Failed to save the rating')) clear()
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <h2>How was it with {other}?</h2>
      <StarField legend="Your rating" value={stars} onChange={setStars} />
      {stars !== undefined && (
        <>
          <TextAreaField
            label="In a few words (optional)"
            hint={`${upperFirst(other)} reads this.`}
            rows={2}
            maxLength={maxRatingWords}
            value={text}
            onChange={(event) => type(event.target.value)}
          />
          <Button type="submit">Send rating</Button>
        </>
      )}
    </form>
  )
}

function Given(props: { title: string; rating: Rating; children?: ReactNode }) {
  const { stars, words } = props.rating
  return (
    <div className="grid justify-items-start gap-1.5">
      <h2>{props.title}</h2>
      <Stars of={stars} />
      {words && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{words}</p>}
      {props.children}
    </div>
  )
}

/** That the rating is still on this phone, and for ten seconds the way back (R99). */
function Unsent({ row }: { row: DeliveryRow }) {
  const mark = row.marks.findLast((each) => each.op === 'rateDelivery' && isUnsent(each))
  const found = useEntry(mark?.entry)
  if (!mark) return null
  return (
    <div role="status" className="flex min-h-12 flex-wrap items-center gap-3">
      <Tag tone="unsent">Not sent yet</Tag>
      <UndoButton entry={found?.entry} what=" the rating" />
    </div>
  )
}
