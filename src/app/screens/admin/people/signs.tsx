import type { Sign } from '#domain/users/standing/person-facts.ts'
import { Link } from '../../../components/forms/link.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { userPath } from '../links.ts'

/** What may be fraud (R203); nothing where nothing was found. */
export function Signs({ of }: { of: readonly Sign[] | undefined }) {
  if (!of?.length) return null
  return (
    <Notice title="Check these signs">
      <ul className="grid gap-2 text-sm">
        {of.map((sign) => (
          <li key={sign.kind} className="[overflow-wrap:anywhere]">
            {signText(sign)}
            {sign.people.map(({ ID, name }) => (
              <Link
                key={ID}
                to={userPath(ID)}
                className="flex min-h-12 items-center font-semibold text-green underline"
              >
                {name}
              </Link>
            ))}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function signText({ kind, count = 0, of = 0 }: Sign): string {
  switch (kind) {
    case 'id-number':
      return 'Same ID number as'
    case 'phone':
      return 'Same phone number as'
    case 'photo':
      return 'Same photo as'
    case 'device':
      return 'Logged in on the same phone as'
    case 'pair':
      return `${count} of ${of} deliveries are with one person, who deals with nobody else:`
    case 'cancels':
      return `Cancelled ${count} of ${of} requests, more than usual`
    case 'give-backs':
      return `Gave back ${count} of ${of} jobs, more than usual`
  }
}
