import { recentPlaces } from '#store/queries/suggestions.ts'
import type { RecentPlace } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { IconButton } from '../../../components/forms/button.tsx'
import { useOwn } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'

type Props = { zone: string; onPick: (place: RecentPlace) => void }

/** The places of earlier requests in this zone, each filled in with one tap (R112). */
export function RecentPlaces({ zone, onPick }: Props) {
  const { commands } = useSoma()
  const found = useOwn(recentPlaces, zone)
  if (!found || found.length === 0) return null
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold text-soft">Recent places</legend>
      <ul className="grid gap-2">
        {found.map((recent) => (
          <li key={recent.key} className="flex items-center gap-1">
            <button
              type="button"
              onClick={() => onPick(recent)}
              className="min-h-12 min-w-0 flex-1 rounded-control border-[1.5px] border-edge bg-card px-4 py-1.5 text-left font-semibold [overflow-wrap:anywhere]"
            >
              <span className="line-clamp-2">{nameOf(recent)}</span>
              {zone === '' && <span className="text-sm font-normal text-soft">{recent.zone}</span>}
            </button>
            <IconButton
              icon="bin"
              label={`Remove ${nameOf(recent)}`}
              onClick={() => attempt('Not removed', () => commands.forgetPlace(recent.key))}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

const nameOf = ({ place }: RecentPlace): string => place.text ?? place.note ?? 'Pin on the map'
