import { actionText, subjectText } from '#domain/office/action-text.ts'
import type { RowOf } from '#store/queries/admin/listings.ts'
import { PageLayout } from '../../../components/page/page.tsx'
import { timeOrDate } from '../../../texts/time.ts'
import { type Column, DataTable } from '../list/data-table.tsx'
import { DownloadCsv } from '../list/download-csv.tsx'
import { useListing } from '../list/use-listing.ts'

type AuditEntry = RowOf['adminAudit']

const columns: readonly Column<AuditEntry>[] = [
  {
    id: 'At',
    header: 'When',
    cell: ({ At }) => <time dateTime={At}>{timeOrDate(At)}</time>,
    isSortable: true,
  },
  {
    id: 'Actor',
    header: 'Who',
    cell: ({ Actor }) => Actor,
    isSortable: true,
  },
  {
    id: 'Action',
    header: 'What',
    cell: ({ Action }) => actionText(Action),
    isSortable: true,
  },
  { id: 'Subject', header: 'About', cell: (entry) => <Subject of={entry} /> },
  { id: 'Address', header: 'From', cell: ({ Address }) => Address || 'N/A' },
]

/** Every act of an admin: who, what, about whom, when and from which address (R57). */
export function Audit() {
  const view = useListing('adminAudit', 'Failed to load the audit log')
  const empty = view.search === '' ? 'No entries yet.' : 'No results.'
  return (
    <PageLayout title="Audit log">
      <DataTable
        label="Audit log"
        view={view}
        columns={columns}
        keyOf={({ ID }) => ID}
        searchLabel="Search the audit log..."
        loadingLabel="Loading the audit log"
        icon="clock"
        empty={empty}
        emptyTable={empty}
        actions={<DownloadCsv what="audit" query={view.filters} />}
        card={(entry) => (
          <>
            <strong>{actionText(entry.Action)}</strong>
            <Subject of={entry} />
            <span className="text-sm text-soft [overflow-wrap:anywhere]">
              {entry.Actor}
              {entry.Address && `, from ${entry.Address}`}
            </span>
            <time dateTime={entry.At} className="text-sm text-soft">
              {timeOrDate(entry.At)}
            </time>
          </>
        )}
      />
    </PageLayout>
  )
}

const Subject = ({ of }: { of: AuditEntry }) => (
  <span className="text-sm [overflow-wrap:anywhere]" title={of.Subject}>
    {subjectText(of.Subject) || 'N/A'}
  </span>
)
