import { type FormEvent, useState } from 'react'
import { type Choice, canAdd } from '#domain/choices.ts'
import type { Entry, OutboxOp } from '#store/deliveries/operations.ts'
import { isUnsent } from '#store/outbox/entry.ts'
import { items, outbox, zones } from '#store/queries/queries.ts'
import { attempt } from '../../browser/attempt.ts'
import { Button, IconButton } from '../../components/forms/button.tsx'
import { Page } from '../../components/page/page.tsx'
import { Skeleton } from '../../components/page/skeleton.tsx'
import { Tag } from '../../components/text/tag.tsx'
import { isUnavailable, useListState } from '../../hooks/use-list-state.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'

/** The two lists people choose from (spec §2, Settings). */
export function Settings() {
  return (
    <Page title="Settings">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <ChoiceCard of="zones" />
        <ChoiceCard of="items" />
      </div>
    </Page>
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

/** The text both filters the list and names what is added. */
function ChoiceCard({ of }: { of: keyof typeof kinds }) {
  const kind = kinds[of]
  const { commands } = useSoma()
  const list = useListState({ kind: of }, 'Failed to load data')
  const choices = useLive<Choice[]>(kind.read, [of])
  const entries = useLive((db) => outbox(db)) ?? []
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const adding = unsentOf(entries, kind.add).map(({ title }) => ({ Name: title }))
  const removing = new Set(unsentOf(entries, kind.remove).map(({ title }) => title))
  const matches = ({ Name }: { Name: string }) =>
    Name.toLowerCase().includes(text.trim().toLowerCase())
  const loading = choices === undefined || (choices.length === 0 && list.is === 'unknown')
  const missing = choices?.length === 0 && isUnavailable(list)
  const addable = canAdd(text, [...(choices ?? []), ...adding]) && !busy

  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (!addable) return
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
      <form onSubmit={add} className="flex gap-2">
        <input
          aria-label={kind.label}
          placeholder={kind.label}
          maxLength={1_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="min-h-12 w-full min-w-0 rounded-control border-[1.5px] border-edge bg-card px-3.5 text-base placeholder:text-soft"
        />
        <Button type="submit" icon="plus" className="shrink-0" disabled={!addable}>
          Add
        </Button>
      </form>
      {loading ? (
        <div className="grid gap-2" role="status" aria-label={`Loading ${kind.title}`}>
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      ) : missing && adding.length === 0 ? (
        <p className="py-3 text-soft">
          {list.is === 'unreachable'
            ? 'Not kept on this device. The list comes with the network.'
            : 'The service has a problem. It is asked again by itself.'}
        </p>
      ) : (
        <ul className="max-h-[15rem] divide-y divide-line overflow-y-auto overscroll-contain">
          {adding.filter(matches).map(({ Name }) => (
            <li key={`new ${Name}`} className="flex min-h-12 items-center justify-between gap-2">
              {Name}
              <Tag tone="gold">Not sent yet</Tag>
            </li>
          ))}
          {choices.filter(matches).map((choice) => (
            <li key={choice.ID} className="flex min-h-12 items-center justify-between gap-2">
              {choice.Name}
              {removing.has(choice.Name) ? (
                <Tag tone="gold">Deleting…</Tag>
              ) : (
                <IconButton
                  icon="bin"
                  label={`Delete ${choice.Name}`}
                  onClick={() =>
                    attempt('Error', () => commands[kind.remove](choice.ID), kind.failure)
                  }
                />
              )}
            </li>
          ))}
          {![...adding, ...choices].some(matches) && (
            <li className="py-3 text-soft">No results found.</li>
          )}
        </ul>
      )}
    </section>
  )
}

const unsentOf = (entries: readonly Entry[], op: OutboxOp) =>
  entries.filter((entry) => entry.op === op && isUnsent(entry))
