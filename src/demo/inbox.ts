import { liveQuery } from 'dexie'
import { useScene } from '#app/demo/stage.ts'
import type { DemoBox } from '#server/demo/box.ts'
import { characters } from '#server/demo/characters.ts'

/** Keeps the frame's inbox as the box is, whichever tab a text was sent from. */
export function watchTexts(box: DemoBox): void {
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
