import { useState } from 'react'
import { isCreate } from '#store/deliveries/project.ts'
import type { Entry } from '#store/entries/operations.ts'
import { type UndoStrategy, undoStrategy } from '#store/entries/undo-strategy.ts'
import { countDependants } from '#store/queries/outbox/outbox.ts'
import { mayHaveArrived } from '#sync/database/entry.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { entryTitle, undoText } from '../../../texts/outbox-texts.ts'
import { lowerFirst } from '../../../texts/steps/step.ts'
import { Confirm } from '../../dialogs/confirm.tsx'
import { Button } from '../../forms/button.tsx'

/** What the button says, and with a question mark the question after it. */
function buttonText(entry: Entry, way: UndoStrategy): string {
  if (isCreate(entry) || way === 'forget') return undoText(entry)
  return way === 'stop' ? 'Stop trying' : `Try to ${lowerFirst(undoText(entry))}`
}

const texts: Record<UndoStrategy, (title: string) => string> = {
  forget: (title) => `“${title}” won’t be sent.`,
  ask: (title) => `“${title}” may have arrived. It is cancelled if it hasn’t.`,
  stop: (title) => `“${title}” may have arrived. It is not sent again.`,
}

function textFor(entry: Entry, way: UndoStrategy): string {
  const title = entryTitle(entry)
  if (way === 'ask' && isCreate(entry))
    return 'It may already have arrived. If it did, it is cancelled.'
  if (way === 'forget' && isCreate(entry)) return 'It won’t be sent.'
  // A photo that arrived without its request is shown to nobody.
  if (way === 'forget' && mayHaveArrived(entry)) return `“${title}” won’t be sent again.`
  return texts[way](title)
}

/**
 * Takes an unsent entry back, after a question (S56), or stops trying (S73). `onForgotten`: it never left, and is gone.
 */
export function TakeBackButton({ entry, onForgotten }: { entry: Entry; onForgotten?: () => void }) {
  const [asked, setAsked] = useState<UndoStrategy>()
  const way = undoStrategy(entry)
  return (
    <>
      {way && (
        <Button look="red" onClick={() => setAsked(way)}>
          {buttonText(entry, way)}
        </Button>
      )}
      {asked && (
        <Question
          entry={entry}
          way={way ?? asked}
          onForgotten={onForgotten}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

type QuestionProps = {
  entry: Entry
  way: UndoStrategy
  onForgotten?: () => void
  onClose: () => void
}

function Question({ entry, way, onForgotten, onClose }: QuestionProps) {
  const { commands } = useSoma()
  const lost = useLive(way === 'ask' ? undefined : countDependants, entry)
  const button = buttonText(entry, way)
  const undo = async () => {
    const work = way === 'stop' ? commands.stopTrying : commands.discard
    if ((await attempt('Error', () => work(entry.id))) && way === 'forget') onForgotten?.()
  }
  return (
    <Confirm
      title={`${button}?`}
      yes={button}
      no="Not now"
      look="red"
      onYes={undo}
      onClose={onClose}
    >
      {textFor(entry, way)}
      {lost === 1 && ' Neither will one more that depends on it.'}
      {lost !== undefined && lost > 1 && ` Neither will ${lost} more that depend on it.`}
    </Confirm>
  )
}

/** Sends what could not be taken back after all (S73). */
export function SendAfterAll({ entry }: { entry: Entry }) {
  const { commands } = useSoma()
  const send = () => attempt('Error', () => commands.retry(entry.id))
  return (
    <Button look="edge" onClick={send}>
      Send it anyway
    </Button>
  )
}
