import * as z from 'zod/mini'
import { create } from 'zustand'
import { storagePrefix } from '#app/browser/base-url.ts'
import { note } from '#sync/database/device/diagnostics.ts'

const TourName = z.enum(['parcel', 'office'])
export type TourName = z.infer<typeof TourName>

/** The tour's progress. Stored, so that a visitor can leave the tour and resume it. */
const TourProgress = z.object({
  shown: z.boolean(),
  name: TourName,
  step: z.number(),
  /** The delivery of the tour, once it was requested. */
  id: z.optional(z.string()),
  /** The secret of the recipient's QR code, once the guest's device has sent the request (R110). */
  secret: z.optional(z.string()),
  /** The guest's Send form is filled in. */
  ready: z.optional(z.boolean()),
})
type TourProgress = z.infer<typeof TourProgress>

type Tour = TourProgress & {
  open: (shown: boolean) => void
  update: (changes: Partial<TourProgress>) => void
  /** Shows the first step of a tour. */
  restart: (name: TourName) => void
}

const key = `${storagePrefix}tour`
const start: TourProgress = { shown: false, name: 'parcel', step: 0 }

export const useTour = create<Tour>()((set, get) => {
  const save = (next: TourProgress) => {
    localStorage.setItem(key, JSON.stringify(next))
    set(next)
  }
  const current = (): TourProgress => {
    const { shown, name, step, id, secret, ready } = get()
    return { shown, name, step, id, secret, ready }
  }
  return {
    ...start,
    ...loadProgress(),
    open: (shown) => save({ ...current(), shown }),
    update: (changes) => save({ ...current(), ...changes }),
    restart: (name) =>
      save({ ...start, shown: true, name, id: undefined, secret: undefined, ready: undefined }),
  }
})

/** Whether a tab shows the tour, whose delivery the visitor carries. */
export const isTouring = (): boolean => loadProgress().shown === true

/** Empty before the first tour, and where an earlier version stored it. */
function loadProgress(): Partial<TourProgress> {
  try {
    return TourProgress.safeParse(JSON.parse(localStorage.getItem(key) ?? '{}')).data ?? {}
  } catch (error) {
    note('tour progress is unreadable; starting again', { error })
    return {}
  }
}
