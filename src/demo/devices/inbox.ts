import { liveQuery } from 'dexie'
import { storagePrefix } from '#app/browser/base-url.ts'
import type { DemoBox } from '../backend/demo-db.ts'
import { characters } from '../simulation/accounts.ts'
import { useScene } from '../ui/demo-context.ts'

const seenKey = `${storagePrefix}seen`

/** Keeps the frame's inbox as the box is, whichever tab a text was sent from. */
export function watchTexts(box: DemoBox): void {
  useScene.setState({ seen: Number(localStorage.getItem(seenKey) ?? 0) })
  useScene.subscribe(({ seen }) => localStorage.setItem(seenKey, String(seen)))
  const newest = () => box.texts.orderBy('id').reverse().toArray()
  liveQuery(newest).subscribe({
    next(texts) {
      useScene.setState({ texts: texts.map((text) => ({ ...text, whose: ownerOf(text.to) })) })
    },
    error: () => {},
  })
}

const ownerOf = (phone: string) =>
  Object.values(characters).find((character) => character.phone === phone)?.name
