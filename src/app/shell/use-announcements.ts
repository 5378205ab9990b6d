import { useEffect, useRef } from 'react'
import { announcements } from '#store/queries/announcements.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { countInTitle } from '../browser/device/tab-title.ts'
import { useLive } from '../hooks/use-live.ts'
import { useSoma } from '../hooks/use-soma.ts'
import { announcementToasts, decisionAnnouncement } from '../texts/announcement-texts.ts'
import { toastAll } from '../toasts.ts'

/** Two short bursts, milliseconds. */
const vibration = [120, 60, 120]

/**
 * Announces what other parties did (R100): with a toast, in the tab's title while nobody looks, and by
 * vibration where the phone allows it.
 */
export function useAnnouncements(): void {
  const { commands } = useSoma()
  const found = useLive(announcements)
  const seen = useRef(new Set<string>())
  useEffect(() => {
    if (!found) return
    // A live query may run once more before they are stored as seen.
    const fresh = found.deliveries.filter(({ delivery: { ID, updatedAt } }) => {
      const key = `${ID} ${updatedAt}`
      return !seen.current.has(key) && seen.current.add(key)
    })
    const decision = found.driverStatus && decisionAnnouncement(found.driverStatus)
    const toasts = [...announcementToasts(fresh), ...(decision ? [decision] : [])]
    const isDecided = found.driverStatus !== undefined
    if (found.deliveries.length === 0 && !isDecided) return
    if (toasts.length > 0) {
      toastAll(toasts)
      for (const _ of toasts) countInTitle()
      navigator.vibrate?.(vibration)
    }
    const ids = found.deliveries.map(({ delivery }) => delivery.ID)
    void commands
      .sawAnnouncements(ids)
      .catch((error: unknown) => note('Announcements were not marked as seen', { error }))
  }, [found, commands])
}
