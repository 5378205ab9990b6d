import { type FormEvent, useState } from 'react'
import { type Choice, canAdd } from '#domain/choices.ts'
import { fold } from '#domain/fold.ts'
import { times } from '#domain/product.ts'
import type { OperationName } from '#operations/index.ts'
import type { Entry } from '#store/entries/operations.ts'
import { outbox } from '#store/queries/outbox/outbox.ts'
import { items, zones } from '#store/queries/queries.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { attempt } from '../../browser/attempt.ts'
import { Button, IconButton } from '../../components/forms/button.tsx'
import { UndoButton } from '../../components/forms/undo-button.tsx'
import { PageLayout } from '../../components/page/page.tsx'
import { Skeleton } from '../../components/page/skeleton.tsx'
import { Tag } from '../../components/text/tag.tsx'
import { isUnavailable, type ListState, useListState } from '../../hooks/lists/use-list-state.ts'
import { useLive, useOwn } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'

/** The lists of zones and item types (R86). */
export function Settings() {
  return (
    <PageLayout title="Settings">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <ChoiceCard of="zones" />
        <ChoiceCard of="items" />
      </div>
    </PageLayout>
  )
}

const kinds = {
  zones: {
    title: 'Control Zones',
    text: 'Add or remove delivery zones.',
    label: 'Zone name',
    read: zones,
    add: 'addZone',
    remove: 'removeZone',
    failure: 'Failed to delete zone',
  },
  items: {
    title: 'Item Descriptions',
    text: 'Manage the options of the send form.',
    label: 'Item name',
    read: items,
    add: 'addItem',
    remove: 'removeItem',
    failure: 'Failed to delete item',
  },
} as const

/** One list: the text filters it, and is the name to add. */
function ChoiceCard({ of }: { of: keyof typeof kinds }) {
  const kind = kinds[of]
  const { commands } = useSoma()
  const list = useListState({ kind: of }, 'Failed to load data')
  const choices = useLive(kind.read)
  const entries = useOwn(outbox) ?? []
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const adding = unsentOf(entries, kind.add).map(({ title }) => ({ Name: title }))
  const isLoading = choices === undefined || (choices.length === 0 && list.is === 'unknown')
  const isMissing = choices?.length === 0 && isUnavailable(list)
  const isAddable = canAdd(text, [...(choices ?? []), ...adding]) && !busy

  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (!isAddable) return
    setBusy(true)
    if (await attempt('Error', () => commands[kind.add](text))) setText('')
    setBusy(false)
  }
  return (
    <section className="card grid gap-4" aria-label={kind.title}>
      <div className="grid gap-1">
        <h2>{kind.title}</h2>
        <p className="text-sm text-soft">{kind.text}</p>
      </div>
      <AddForm label={kind.label} text={text} onText={setText} isAddable={isAddable} onAdd={add} />
      {isLoading ? (
        <LoadingChoices title={kind.title} />
      ) : isMissing && adding.length === 0 ? (
        <MissingChoices list={list} />
      ) : (
        <Choices
          kind={kind}
          choices={choices}
          adding={adding}
          removing={new Map(unsentOf(entries, kind.remove).map((entry) => [entry.title, entry]))}
          filter={text}
        />
      )}
    </section>
  )
}

function AddForm(props: {
  label: string
  text: string
  onText: (text: string) => void
  isAddable: boolean
  onAdd: (event: FormEvent) => void
}) {
  return (
    <form onSubmit={props.onAdd} className="flex gap-2">
      <input
        aria-label={props.label}
        placeholder={props.label}
        maxLength={1_000}
        value={props.text}
        onChange={(event) => props.onText(event.target.value)}
        className="min-h-12 w-full min-w-0 rounded-control border-[1.5px] border-edge bg-card px-3.5 text-base placeholder:text-soft"
      />
      <Button type="submit" icon="plus" className="shrink-0" disabled={!props.isAddable}>
        Add
      </Button>
    </form>
  )
}

const LoadingChoices = ({ title }: { title: string }) => (
  <div className="grid h-[15rem] content-start gap-2" role="status" aria-label={`Loading ${title}`}>
    <Skeleton className="h-10" />
    <Skeleton className="h-10" />
    <Skeleton className="h-10" />
  </div>
)

const MissingChoices = ({ list }: { list: ListState }) => (
  <p className="py-3 text-soft">
    {list.is === 'unreachable'
      ? "Not available offline. The list comes when you're back online."
      : 'Temporarily unavailable. We have a problem on our side and keep trying.'}
  </p>
)

/** The names that match the filter: those being added, then the server's, each with a button to delete it. */
function Choices(props: {
  kind: (typeof kinds)[keyof typeof kinds]
  choices: readonly Choice[]
  adding: readonly { Name: string }[]
  removing: ReadonlyMap<string, Entry>
  filter: string
}) {
  const { kind, choices, adding, removing } = props
  const { commands } = useSoma()
  const filter = fold(props.filter.trim())
  const matches = ({ Name }: { Name: string }) => fold(Name).includes(filter)
  return (
    <ul className="max-h-[15rem] divide-y divide-line overflow-y-auto overscroll-contain">
      {adding.filter(matches).map(({ Name }) => (
        <li key={`new ${Name}`} className="flex min-h-12 items-center justify-between gap-2">
          {Name}
          <Tag tone="unsent">Not sent yet</Tag>
        </li>
      ))}
      {choices.filter(matches).map(({ ID, Name }) => (
        <li key={ID} className="flex min-h-12 items-center justify-between gap-2">
          {Name}
          {removing.has(Name) ? (
            <span className="flex items-center gap-2">
              <Tag tone="unsent">Deleting…</Tag>
              <UndoButton entry={removing.get(Name)} what={` deleting ${Name}`} />
            </span>
          ) : (
            <IconButton
              icon="bin"
              label={`Delete ${Name}`}
              onClick={() =>
                attempt(
                  'Error',
                  () => commands[kind.remove](ID, { holdFor: times.undo }),
                  kind.failure,
                )
              }
            />
          )}
        </li>
      ))}
      {![...adding, ...choices].some(matches) && (
        <li className="py-3 text-soft">No results found.</li>
      )}
    </ul>
  )
}

const unsentOf = (entries: readonly Entry[], op: OperationName) =>
  entries.filter((entry) => entry.op === op && isUnsent(entry))
