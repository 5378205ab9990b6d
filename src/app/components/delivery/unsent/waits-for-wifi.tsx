import { isOnMobileData } from '#sync/platform/mobile-data.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useDataSaver } from '../../../hooks/use-data-saver.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { Button } from '../../forms/button.tsx'

/** Says that photos wait for Wi-Fi, as the person chose, and lets them go on mobile data after all (S62). */
export function WaitsForWifi() {
  const { commands } = useSoma()
  const { wifiOnly } = useDataSaver()
  if (!wifiOnly || !isOnMobileData()) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-card bg-gold-wash p-3">
      <p className="text-sm">
        <strong>The photo waits for Wi-Fi.</strong> The request is sent with it.
      </p>
      <Button
        look="edge"
        tight
        onClick={() => attempt('Error', () => commands.changeDataSaver({ wifiOnly: false }))}
      >
        Send on mobile data
      </Button>
    </div>
  )
}
