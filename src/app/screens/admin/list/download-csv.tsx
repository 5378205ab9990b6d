import { useEffect, useRef, useState } from 'react'
import { attempt } from '../../../browser/attempt.ts'
import { saveFile } from '../../../browser/device/save-file.ts'
import { blockReload } from '../../../browser/update/reload-guard.ts'
import { Button } from '../../../components/forms/button.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'

type What = 'deliveries' | 'users' | 'drivers' | 'audit' | 'payouts'

type Props = { what: What; query: Record<string, string | undefined> }

/** A button that downloads the whole list, as it is searched and filtered, as a CSV file, with progress and Stop. */
export function DownloadCsv({ what, query }: Props) {
  const { exportCsv } = useSoma()
  const [done, setDone] = useState<{ rows: number; of: number }>()
  const under = useRef<AbortController>(undefined)
  useEffect(() => () => under.current?.abort(), [])

  const start = async () => {
    const stop = new AbortController()
    under.current = stop
    setDone({ rows: 0, of: 0 })
    await attempt('Error', async () => {
      const progress = (rows: number, of: number) => setDone({ rows, of })
      const file = await blockReload(exportCsv(what, { query, signal: stop.signal, progress }))
      if (file && !stop.signal.aborted) saveFile(file, what, 'csv')
    })
    setDone(undefined)
  }
  if (!done)
    return (
      <Button look="line" icon="down" onClick={start}>
        Download CSV
      </Button>
    )
  return (
    <div className="flex items-center gap-3">
      <p role="status" className="text-sm text-soft">
        {done.of === 0
          ? 'Collecting…'
          : `${done.rows.toLocaleString('en-GH')} of ${done.of.toLocaleString('en-GH')}`}
      </p>
      <Button look="line" onClick={() => under.current?.abort()}>
        Stop
      </Button>
    </div>
  )
}
