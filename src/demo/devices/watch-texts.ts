import { liveQuery } from 'dexie'
import { storagePrefix } from '#app/browser/base-url.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import type { DemoDb } from '../backend/demo-db.ts'
import { personas } from '../simulation/personas.ts'
import { useDemoState } from '../ui/demo-context.ts'

const seenKey = `${storagePrefix}seen`

/** Shows the demo's texts in the bar, whichever tab they were sent from. */
export function watchTexts(demoDb: DemoDb): void {
  useDemoState.setState({ seen: Number(localStorage.getItem(seenKey) ?? 0) })
  useDemoState.subscribe(({ seen }) => localStorage.setItem(seenKey, String(seen)))
  const newestFirst = () => demoDb.texts.orderBy('id').reverse().toArray()
  liveQuery(newestFirst).subscribe({
    next(texts) {
      useDemoState.setState({ texts: texts.map((text) => ({ ...text, owner: ownerOf(text.to) })) })
    },
    error: (error) => note('demo inbox cannot be read', { error }),
  })
}

const ownerOf = (phone: string) =>
  Object.values(personas).find((persona) => persona.phone === phone)?.name
