import { type FormEvent, type ReactNode, useState } from 'react'
import { type Choice, canAdd } from '#domain/choices.ts'
import { fold } from '#domain/fold.ts'
import { times } from '#domain/product.ts'
import type { Zone } from '#domain/zones/zone.ts'
import type { OperationName } from '#operations/index.ts'
import type { Entry } from '#store/entries/operations.ts'
import { type Changed, changedItems, changedZones } from '#store/queries/admin/zones.ts'
import { outbox } from '#store/queries/outbox/outbox.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button, IconButton } from '../../../components/forms/button.tsx'
import { UndoButton } from '../../../components/forms/undo-button.tsx'
import { ZoneMap } from '../../../components/map/zone-map.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Skeleton } from '../../../components/page/skeleton.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { isUnavailable, type ListState, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { ChoiceDialog } from './choice-dialog.tsx'
import { OfficeCard } from './office-card.tsx'
import { LongerRoads } from './road-notice.tsx'
import { ZoneDialog } from './zone-dialog.tsx'

/** The lists of zones (R86, R165) and item types, and what the office sets for everybody (R204). */
export function Settings() {
  return (
    <PageLayout title="Settings">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <ChoiceCard of="zones" />
        <ChoiceCard of="items" />
        <OfficeCard />
      </div>
    </PageLayout>
  )
}

const kinds = {
  zones: {
    title: 'Control Zones',
    text: 'Add or remove delivery zones.',
    label: 'Zone name',
    read: changedZones,
    add: 'addZone',
    remove: 'removeZone',
    change: 'changeZone',
    failure: 'Failed to delete zone',
  },
  items: {
    title: 'Item Descriptions',
    text: 'Manage the options of the send form.',
    label: 'Item name',
    read: changedItems,
    add: 'addItem',
    remove: 'removeItem',
    change: 'changeItem',
    failure: 'Failed to delete item',
  },
} as const

/** One list: the text filters it, and is the name to add. */
function ChoiceCard({ of }: { of: keyof typeof kinds }) {
  const kind = kinds[of]
  const { commands } = useSoma()
  const list = useListState({ kind: of }, 'Failed to load data')
  const choices: readonly Changed<Choice>[] | undefined = useOwn(kind.read)
  const entries = useOwn(outbox) ?? []
  const zones = useOwn(of === 'zones' ? changedZones : undefined)
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
      {of === 'zones' && <Zones zones={zones} />}
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
          inUse={inUse(entries, kind.remove)}
          filter={text}
          detail={(id) => <ZoneDetail id={id} zones={zones ?? []} />}
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
  choices: readonly Changed<Choice>[]
  adding: readonly { Name: string }[]
  removing: ReadonlyMap<string, Entry>
  /** Why a choice was not deleted, by its ID. */
  inUse: ReadonlyMap<string, string>
  filter: string
  /** What else a row shows of its choice, by the ID. */
  detail: (id: string) => ReactNode
}) {
  const { kind, choices, adding, removing, inUse, detail } = props
  const { commands } = useSoma()
  const [edited, setEdited] = useState<string>()
  const filter = fold(props.filter.trim())
  const remove = (id: string, confirm = false) =>
    attempt(
      'Error',
      () => commands[kind.remove](id, { holdFor: times.undo, confirm }),
      kind.failure,
    )
  const matches = ({ Name }: { Name: string }) => fold(Name).includes(filter)
  return (
    <ul className="max-h-[15rem] divide-y divide-line overflow-y-auto overscroll-contain">
      {adding.filter(matches).map(({ Name }) => (
        <li key={`new ${Name}`} className="flex min-h-12 items-center justify-between gap-2">
          {Name}
          <Tag tone="unsent">Not sent yet</Tag>
        </li>
      ))}
      {choices.filter(matches).map(({ ID, Name, isUnsent }) => (
        <li key={ID} className="flex min-h-12 flex-wrap items-center justify-between gap-x-2">
          <span className="min-w-0 [overflow-wrap:anywhere]">{Name}</span>
          <span className="ml-auto flex flex-wrap items-center justify-end gap-x-2">
            {removing.has(Name) ? (
              <>
                <Tag tone="unsent">Deleting…</Tag>
                <UndoButton entry={removing.get(Name)} what={` deleting ${Name}`} />
              </>
            ) : (
              <>
                {isUnsent && <Tag tone="unsent">Not sent yet</Tag>}
                {detail(ID)}
                <IconButton
                  icon="settings"
                  label={`Rename or move ${Name}`}
                  onClick={() => setEdited(ID)}
                />
                <IconButton icon="bin" label={`Delete ${Name}`} onClick={() => remove(ID)} />
              </>
            )}
          </span>
          {inUse.has(ID) && !removing.has(Name) && (
            <span className="flex basis-full flex-wrap items-center justify-between gap-2 pb-2">
              <span className="text-sm text-soft">{inUse.get(ID)}</span>
              <Button look="line" onClick={() => remove(ID, true)}>
                Delete anyway
              </Button>
            </span>
          )}
          {edited === ID && (
            <ChoiceDialog
              choice={{ ID, Name }}
              choices={choices}
              change={commands[kind.change]}
              onClose={() => setEdited(undefined)}
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

/** All zones and their roads, and the roads that nobody would take. */
const Zones = ({ zones }: { zones: readonly Zone[] | undefined }) => (
  <>
    <ZoneMap zones={zones} />
    <LongerRoads zones={zones ?? noZones} />
  </>
)
const noZones: readonly Zone[] = []

/** The button that opens a zone's centre and roads; nothing for an item type. */
function ZoneDetail({ id, zones }: { id: string; zones: readonly Zone[] }) {
  const [isOpen, setOpen] = useState(false)
  const zone = zones.find(({ ID }) => ID === id)
  if (!zone) return null
  return (
    <>
      <IconButton
        icon="pin"
        label={`Centre and roads of ${zone.Name}`}
        onClick={() => setOpen(true)}
      />
      {isOpen && <ZoneDialog zone={zone} zones={zones} onClose={() => setOpen(false)} />}
    </>
  )
}

const unsentOf = (entries: readonly Entry[], op: OperationName) =>
  entries.filter((entry) => entry.op === op && isUnsent(entry))

/** What the server said of choices that deliveries under way use, by the ID (R208). */
const inUse = (entries: readonly Entry[], op: 'removeZone' | 'removeItem') =>
  new Map(
    entries.flatMap(({ op: done, input, state, error }) =>
      done === op && state === 'refused' && error?.reason === 'in-use' && 'id' in input
        ? [[input.id, error.message] as const]
        : [],
    ),
  )
