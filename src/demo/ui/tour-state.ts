import * as z from 'zod/mini'
import { create } from 'zustand'
import { storagePrefix } from '#app/browser/base-url.ts'

/** How far the tour has come; it outlives the tab, so that it can be left and taken up again. */
const Kept = z.object({
  shown: z.boolean(),
  step: z.number(),
  /** The delivery it follows, once there is one. */
  id: z.optional(z.string()),
  /** Its delivery code, once the guest's phone has it. */
  code: z.optional(z.string()),
  /** The request lies ready on the guest's phone. */
  ready: z.optional(z.boolean()),
})
type Kept = z.infer<typeof Kept>

type Tour = Kept & {
  open: (shown: boolean) => void
  note: (more: Partial<Kept>) => void
  again: () => void
}

const key = `${storagePrefix}tour`
const start: Kept = { shown: false, step: 0 }

export const useTour = create<Tour>()((set, get) => {
  const keep = (next: Kept) => {
    localStorage.setItem(key, JSON.stringify(next))
    set(next)
  }
  const now = (): Kept => {
    const { shown, step, id, code, ready } = get()
    return { shown, step, id, code, ready }
  }
  return {
    ...start,
    ...found(),
    open: (shown) => keep({ ...now(), shown }),
    note: (more) => keep({ ...now(), ...more }),
    again: () => keep({ ...start, shown: true, id: undefined, code: undefined, ready: undefined }),
  }
})

/** Whether some tab is on the tour: its parcel is the visitor's to carry. */
export const isTouring = (): boolean => found().shown === true

function found(): Partial<Kept> {
  try {
    return Kept.safeParse(JSON.parse(localStorage.getItem(key) ?? '{}')).data ?? {}
  } catch {
    return {}
  }
}
