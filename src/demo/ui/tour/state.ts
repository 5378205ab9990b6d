import * as z from 'zod/mini'
import { create } from 'zustand'
import { storagePrefix } from '#app/browser/base-url.ts'
import { note } from '#sync/database/device/diagnostics.ts'

/** The tour's progress. Stored, so that a visitor can leave the tour and resume it. */
const TourProgress = z.object({
  shown: z.boolean(),
  step: z.number(),
  /** The delivery of the tour, once it was requested. */
  id: z.optional(z.string()),
  /** The delivery code, once the guest's device has it. */
  code: z.optional(z.string()),
  /** The guest's Send form is filled in. */
  ready: z.optional(z.boolean()),
})
type TourProgress = z.infer<typeof TourProgress>

type Tour = TourProgress & {
  open: (shown: boolean) => void
  update: (changes: Partial<TourProgress>) => void
  restart: () => void
}

const key = `${storagePrefix}tour`
const start: TourProgress = { shown: false, step: 0 }

export const useTour = create<Tour>()((set, get) => {
  const save = (next: TourProgress) => {
    localStorage.setItem(key, JSON.stringify(next))
    set(next)
  }
  const current = (): TourProgress => {
    const { shown, step, id, code, ready } = get()
    return { shown, step, id, code, ready }
  }
  return {
    ...start,
    ...loadProgress(),
    open: (shown) => save({ ...current(), shown }),
    update: (changes) => save({ ...current(), ...changes }),
    restart: () =>
      save({ ...start, shown: true, id: undefined, code: undefined, ready: undefined }),
  }
})

/** Whether a tab shows the tour, whose delivery the visitor carries. */
export const isTouring = (): boolean => loadProgress().shown === true

function loadProgress(): Partial<TourProgress> {
  try {
    return TourProgress.safeParse(JSON.parse(localStorage.getItem(key) ?? '{}')).data ?? {}
  } catch (error) {
    note('tour progress is unreadable; starting again', { error })
    return {}
  }
}
