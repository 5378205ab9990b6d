import { useState } from 'react'
import { diagnostics, logsToConsole, supportCode } from '#store/queries/outbox/outbox.ts'
import type { DiagnosticEvent } from '#sync/database/device/state.ts'
import { attempt } from '../../../browser/attempt.ts'
import { copyText } from '../../../browser/device/clipboard.ts'
import { Button } from '../../../components/forms/button.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { exactTime } from '../../../texts/time.ts'
import { EntryDetails } from './entry-details.tsx'

/** The unsent entries' tries and the latest events of the sync engine, for a support call. Closed by default, and not read while closed. */
export function SupportDetails() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="card"
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-12 cursor-pointer items-center font-semibold text-green">
        Details for support
      </summary>
      {isOpen && (
        <div className="grid gap-3 pt-2">
          <SupportCode />
          <EntryDetails />
          <ConsoleSwitch />
          <Events />
        </div>
      )}
    </details>
  )
}

/** What the office asks for first (R92). */
function SupportCode() {
  const code = useLive(supportCode)
  if (code === undefined) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <span className="grid">
        <span className="text-sm text-soft">Support code</span>
        <strong translate={code ? 'no' : 'yes'} className="font-mono text-lg">
          {code ?? 'Comes with the first connection'}
        </strong>
      </span>
      {code && (
        <Button look="line" icon="copy" onClick={() => copyText(code, 'The support code')}>
          Copy
        </Button>
      )}
    </div>
  )
}

function ConsoleSwitch() {
  const { commands } = useSoma()
  const isOn = useLive(logsToConsole) === true
  return (
    <label className="flex min-h-12 cursor-pointer items-center gap-3">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={() => attempt('Error', () => commands.logToConsole(!isOn))}
        className="size-6 shrink-0 accent-green"
      />
      Also write to the console
    </label>
  )
}

function Events() {
  const events = useLive(diagnostics)
  if (events === undefined) return <Loading rows={1} label="Loading the details" />
  if (events.length === 0) return <p className="text-soft">No events recorded yet.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must reach what scrolls.
    <section aria-label="Events" tabIndex={0} className="max-h-96 overflow-auto">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">Events, newest first</caption>
        <thead className="sticky top-0 bg-card text-soft">
          <tr>
            <th scope="col" className="py-2 pr-3 font-semibold">
              Time
            </th>
            <th scope="col" className="py-2 font-semibold">
              Event
            </th>
          </tr>
        </thead>
        <tbody>
          {keyed(events).map(([key, event]) => (
            <EventRow key={key} event={event} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function EventRow({ event: { at, what, error, request } }: { event: DiagnosticEvent }) {
  return (
    <tr className="border-t border-line align-top">
      <td className="py-2 pr-3 whitespace-nowrap text-soft">
        <time dateTime={new Date(at).toISOString()}>{exactTime(at)}</time>
      </td>
      <td className="grid gap-0.5 py-2 [overflow-wrap:anywhere]">
        <span className={error === undefined ? '' : 'font-semibold text-red'}>{what}</span>
        {error && <span>{error}</span>}
        {request && <span className="font-mono text-xs text-soft">Request {request}</span>}
      </td>
    </tr>
  )
}

/** Each event with a key that stays the same when newer events come before it. */
const keyed = (events: readonly DiagnosticEvent[]) =>
  events.map((event, index) => [`${event.at} ${events.length - index}`, event] as const)
