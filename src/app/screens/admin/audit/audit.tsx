import type { RowOf } from '#store/queries/admin-pages.ts'
import { Page } from '../../../components/page/page.tsx'
import { shortDate } from '../../../texts/time.ts'
import { type Columns, DataTable } from '../list/data-table.tsx'
import { Download } from '../list/download-csv.tsx'
import { useListing } from '../list/use-listing.ts'
import { actionText } from './action-text.ts'

type AuditEntry = RowOf['adminAudit']

const columns: Columns<AuditEntry> = [
  {
    id: 'At',
    header: 'When',
    accessorFn: ({ At }) => At,
    cell: ({ row }) => <time dateTime={row.original.At}>{shortDate(row.original.At)}</time>,
  },
  {
    id: 'Actor',
    header: 'Who',
    sortDescFirst: false,
    accessorFn: ({ Actor }) => Actor,
    cell: ({ row }) => row.original.Actor,
  },
  {
    id: 'Action',
    header: 'What',
    sortDescFirst: false,
    accessorFn: ({ Action }) => Action,
    cell: ({ row }) => actionText(row.original.Action),
  },
  { id: 'Subject', header: 'About', cell: ({ row }) => <Subject of={row.original} /> },
  { id: 'Address', header: 'From', cell: ({ row }) => row.original.Address || 'N/A' },
]

/** Every act of an admin: who, what, about whom, when and from where. */
export function Audit() {
  const view = useListing('adminAudit', 'Failed to load the audit log')
  const empty = view.search === '' ? 'No entries yet.' : 'No results.'
  return (
    <Page title="Audit log">
      <DataTable
        label="Audit log"
        view={view}
        columns={columns}
        keyOf={({ ID }) => ID}
        search="Search the audit log..."
        loading="Loading the audit log"
        icon="clock"
        empty={empty}
        emptyTable={empty}
        tools={<Download what="audit" search={view.search} />}
        card={(entry) => (
          <>
            <strong>{actionText(entry.Action)}</strong>
            <Subject of={entry} />
            <span className="text-sm text-soft [overflow-wrap:anywhere]">
              {entry.Actor}
              {entry.Address && `, from ${entry.Address}`}
            </span>
            <time dateTime={entry.At} className="text-sm text-soft">
              {shortDate(entry.At)}
            </time>
          </>
        )}
      />
    </Page>
  )
}

const Subject = ({ of }: { of: AuditEntry }) => (
  <span className="text-sm [overflow-wrap:anywhere]">{of.Subject || 'N/A'}</span>
)
