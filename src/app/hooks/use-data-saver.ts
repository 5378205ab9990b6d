import type { DeliveryRow } from '#store/rows.ts'
import { dataSaver } from '#sync/database/device/data-saver.ts'
import { isOnMobileData } from '#sync/platform/mobile-data.ts'
import { useLive } from './use-live.ts'

/** The device's data settings; without a choice the phone's own data saver counts. */
export function useDataSaver(): { isKnown: boolean; saves: boolean; wifiOnly: boolean } {
  const chosen = useLive(dataSaver)
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return {
    isKnown: chosen !== undefined,
    saves: chosen?.saves ?? connection?.saveData === true,
    wifiOnly: chosen?.wifiOnly === true,
  }
}

/** Whether this request is not sent because its photo waits for Wi-Fi (S62). */
export function useWaitsForWifi(row: Pick<DeliveryRow, 'known'> | undefined): boolean {
  const { wifiOnly } = useDataSaver()
  return row?.known === false && wifiOnly && isOnMobileData()
}
