import * as z from 'zod/mini'
import { create } from 'zustand'
import { apart } from '#app/browser/base-url.ts'

/** How far the tour has come; it outlives the tab, so that it can be left and taken up again. */
const TourProgress = z.object({
  shown: z.boolean(),
  step: z.number(),
  /** The delivery it follows, once there is one. */
  id: z.optional(z.string()),
  /** Its delivery code, once the guest's phone has it. */
  code: z.optional(z.string()),
  /** The request lies ready on the guest's phone. */
  ready: z.optional(z.boolean()),
})
type TourProgress = z.infer<typeof TourProgress>

type Tour = TourProgress & {
  open: (shown: boolean) => void
  update: (more: Partial<TourProgress>) => void
  restart: () => void
}

const key = `${apart}tour`
const start: TourProgress = { shown: false, step: 0 }

export const useTour = create<Tour>()((set, get) => {
  const keep = (next: TourProgress) => {
    localStorage.setItem(key, JSON.stringify(next))
    set(next)
  }
  const now = (): TourProgress => {
    const { shown, step, id, code, ready } = get()
    return { shown, step, id, code, ready }
  }
  return {
    ...start,
    ...found(),
    open: (shown) => keep({ ...now(), shown }),
    update: (more) => keep({ ...now(), ...more }),
    restart: () =>
      keep({ ...start, shown: true, id: undefined, code: undefined, ready: undefined }),
  }
})

/** Whether some tab is on the tour: its parcel is the visitor's to carry. */
export const isTouring = (): boolean => found().shown === true

function found(): Partial<TourProgress> {
  try {
    return TourProgress.safeParse(JSON.parse(localStorage.getItem(key) ?? '{}')).data ?? {}
  } catch {
    return {}
  }
}
