import { type FormEvent, useEffect, useId, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { preloadScanner } from '#scan/preload-scanner.ts'
import { uncheckedCode } from '#store/deliveries/project.ts'
import { syncStatus } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button } from '../../../components/forms/button.tsx'
import { MainAction } from '../../../components/page/main-action.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { dismissAbout } from '../../../toasts.ts'
import { ScanPart } from '../scan/scan-part.tsx'
import { CodeBoxes } from './code-boxes.tsx'

/** Digits of a delivery code (R25). */
const length = 5

/** Of a parcel that comes back: the sender's own code proves it (R105). */
const returnTexts = {
  label: 'Return code',
  hint: 'The sender has it. Hand the parcel over once it is confirmed.',
}

/**
 * How the driver proves the hand-over: by scanning the recipient's code (R110), or by typing it (R25) or the sender's
 * of a return. Digits that wait to be checked leave the scanner in place.
 */
export function EnterCode({ row }: { row: DeliveryRow }) {
  const isReturn = row.view.returning !== undefined
  const isScannable = canScan(row)
  const isOffline = useLive(syncStatus)?.reachable === false
  useEffect(() => {
    if (isScannable) preloadScanner()
  }, [isScannable])
  return (
    <>
      {row.view.codeLocked && (
        <Notice tone="red" title="The code is locked">
          <p className="text-sm">
            {isReturn
              ? 'Too many wrong codes were tried. The sender can confirm the return.'
              : "Too many wrong codes were tried. Scan the recipient's QR code, or ask the sender for a new code."}
          </p>
        </Notice>
      )}
      {isScannable && isOffline && (
        <p className="font-semibold">No signal: scan the QR code, which this phone can check.</p>
      )}
      {isScannable && <ScanPart row={row} />}
      {!uncheckedCode(row) && <TypeCode row={row} />}
    </>
  )
}

function TypeCode({ row }: { row: DeliveryRow }) {
  const { commands } = useSoma()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useId()
  const isReturn = row.view.returning !== undefined
  const refused = row.marks.find(
    ({ op, state }) => op === 'completeDelivery' && state === 'refused',
  )
  const error = problem ?? (code === '' ? refused?.error?.message : undefined)
  const check = () => code === '' && setProblem('Please enter the delivery code')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (code.length !== length) return check()
    setBusy(true)
    dismissAbout(row.ID)
    await attempt(
      'Error',
      async () => {
        // A new code replaces the refused one.
        if (refused) await commands.discard(refused.entry)
        await commands.completeDelivery(row.ID, code)
      },
      'Failed to update status',
    )
    setBusy(false)
    setCode('')
  }
  return (
    <>
      <form id={form} noValidate onSubmit={submit} className="grid gap-2">
        <CodeBoxes
          length={length}
          {...(isReturn ? returnTexts : undefined)}
          value={code}
          error={error}
          isFocused={useLocation().hash === '#code'}
          onChange={(next) => {
            setProblem(undefined)
            setCode(next)
          }}
        />
      </form>
      <MainAction>
        <Button
          type="submit"
          form={form}
          disabled={busy || code.length !== length}
          className="min-h-14 w-full text-lg"
        >
          {isReturn ? 'Complete Return' : 'Complete Delivery'}
        </Button>
      </MainAction>
    </>
  )
}

/** Whether this phone can scan this delivery's code (R110): a page without TLS has neither a camera nor hashes. */
const canScan = ({ view }: DeliveryRow): boolean =>
  view.handoverHash !== undefined &&
  typeof navigator.mediaDevices?.getUserMedia === 'function' &&
  crypto.subtle !== undefined
