import { nextPaint } from './next-paint.ts'

/*
 * When the first screen shows what the phone holds. What a screen does not need for that comes after it: on a cheap
 * phone the engine's first round, and files that are loaded ahead, would keep the person waiting for their rows.
 */

/** Milliseconds after which it is not waited for any longer: a slow phone, or a page in the background. */
const longest = 2_000

/** Live queries of screens that have no result yet. */
let unanswered = 0
let open = () => {}
const opened = new Promise<void>((resolve) => {
  open = resolve
})

/** Counts a query until the function that it returns is called for the first time. */
export function countQuery(): () => void {
  unanswered++
  let isCounted = true
  return () => {
    if (isCounted) unanswered--
    isCounted = false
  }
}

/** The shell has drawn a screen. */
export const openFirstScreen = (): void => open()

let shown: Promise<void> | undefined

/** Resolves once the queries of the first screen have results and these are drawn; also long after it. */
export function firstScreen(): Promise<void> {
  shown ??= Promise.race([drawn(), new Promise<void>((resolve) => setTimeout(resolve, longest))])
  return shown
}

async function drawn() {
  await opened
  // A result may lead to another query, which is asked in the frame that draws it.
  for (let quiet = 0; quiet < 2; quiet = unanswered > 0 ? 0 : quiet + 1) await nextPaint()
}
