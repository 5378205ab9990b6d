import { type Report, reportsOf } from '#store/queries/reports.ts'
import { useUnsentText } from '../../../components/delivery/unsent/use-unsent-text.ts'
import { Tag } from '../../../components/text/tag.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { waitsForSignal } from '../../../texts/next-step.ts'
import { timeAgo } from '../../../texts/time.ts'

/** What this person has reported about the delivery, with its state and answer (R59). */
export function Reports({ id }: { id: string }) {
  const reports = useLive(reportsOf, id)
  const said = useUnsentText()
  if (!reports || reports.length === 0) return null
  return (
    <section aria-label="Reported issues" className="card grid gap-3">
      <h2>Reported issues</h2>
      <ul className="grid gap-3">
        {reports.map((report) => (
          <li
            key={report.id}
            className="grid gap-1 border-t border-line pt-3 first:border-0 first:pt-0"
          >
            <span className="flex flex-wrap items-center justify-between gap-2">
              <StateTag report={report} />
              {report.at && <span className="text-sm text-soft">{timeAgo(report.at)}</span>}
            </span>
            <p className="[overflow-wrap:anywhere]">{report.issue}</p>
            <p className="text-sm text-soft [overflow-wrap:anywhere]">{said(answerOf(report))}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function StateTag({ report: { unsent, status } }: { report: Report }) {
  if (unsent) return <Tag tone="unsent">Not sent yet</Tag>
  return status === 'resolved' ? <Tag tone="approved">Answered</Tag> : <Tag tone="gold">Open</Tag>
}

const answerOf = ({ unsent, status, resolution }: Report): string => {
  if (unsent) return waitsForSignal
  return status === 'resolved' ? (resolution ?? 'Resolved') : 'Our team will look into it.'
}
