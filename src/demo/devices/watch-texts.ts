import { liveQuery } from 'dexie'
import { apart } from '#app/browser/base-url.ts'
import type { DemoDb } from '../backend/demo-db.ts'
import { personas } from '../simulation/personas.ts'
import { useDemoState } from '../ui/demo-context.ts'

const seenKey = `${apart}seen`

/** Keeps the frame's inbox as the box is, whichever tab a text was sent from. */
export function watchTexts(box: DemoDb): void {
  useDemoState.setState({ seen: Number(localStorage.getItem(seenKey) ?? 0) })
  useDemoState.subscribe(({ seen }) => localStorage.setItem(seenKey, String(seen)))
  const newest = () => box.texts.orderBy('id').reverse().toArray()
  liveQuery(newest).subscribe({
    next(texts) {
      useDemoState.setState({ texts: texts.map((text) => ({ ...text, owner: ownerOf(text.to) })) })
    },
    error: () => {},
  })
}

const ownerOf = (phone: string) =>
  Object.values(personas).find((character) => character.phone === phone)?.name
