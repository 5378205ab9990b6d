import { liveQuery } from 'dexie'
import { storagePrefix } from '#app/browser/base-url.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import type { DemoDb } from '../backend/demo-db.ts'
import { useDemoState } from '../ui/demo-context.ts'

const seenKey = `${storagePrefix}seen`

/** Shows the demo's texts and prompts in the bar, whichever tab they were sent from. */
export function watchTexts({ texts, payments }: DemoDb): void {
  useDemoState.setState({ seen: Number(localStorage.getItem(seenKey) ?? 0) })
  useDemoState.subscribe(({ seen }) => localStorage.setItem(seenKey, String(seen)))
  const newestFirst = async () => ({
    texts: await texts.orderBy('id').reverse().toArray(),
    prompts: await payments.orderBy('promptedAt').reverse().toArray(),
  })
  liveQuery(newestFirst).subscribe({
    next: (messages) => useDemoState.setState(messages),
    error: (error) => note('demo inbox cannot be read', { error }),
  })
}
