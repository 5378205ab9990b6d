import { useId } from 'react'

const all = [1, 2, 3, 4, 5] as const

const Star = ({ isFull, className }: { isFull: boolean; className: string }) => (
  <svg
    aria-hidden="true"
    viewBox="0 0 24 24"
    className={`${className} shrink-0 stroke-ink ${isFull ? 'fill-gold' : 'fill-transparent'}`}
    strokeWidth="1.5"
    strokeLinejoin="round"
  >
    <path d="M12 3l2.8 5.7 6.2.9-4.5 4.4 1.1 6.2L12 17.3l-5.6 2.9 1.1-6.2L3 9.6l6.2-.9z" />
  </svg>
)

export const starsText = (stars: number): string => `${stars} ${stars === 1 ? 'star' : 'stars'}`

/** A given rating. */
export const Stars = ({ of }: { of: number }) => (
  <span role="img" aria-label={`${of} of 5 stars`} className="inline-flex gap-0.5">
    {all.map((star) => (
      <Star key={star} isFull={star <= of} className="size-5" />
    ))}
  </span>
)

/** An average and how many it is of (R113). */
export const AverageRating = ({ average, count }: { average: number; count: number }) => (
  <span className="inline-flex items-center gap-1">
    <Star isFull className="size-4" />
    <span>
      <span className="sr-only">Rated </span>
      {average.toFixed(1)} ({count} ratings)
    </span>
  </span>
)

/** Chooses 1 to 5 stars; the arrow keys move between them. */
export function StarField(props: {
  legend: string
  value: number | undefined
  onChange: (stars: number) => void
}) {
  const name = useId()
  const chosen = props.value ?? 0
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">{props.legend}</legend>
      <div className="flex">
        {all.map((star) => (
          <label key={star} className="relative grid size-12 place-items-center rounded-control">
            <input
              type="radio"
              name={name}
              value={star}
              aria-label={starsText(star)}
              checked={star === props.value}
              onChange={() => props.onChange(star)}
              className="covers"
            />
            <Star isFull={star <= chosen} className="size-9" />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
