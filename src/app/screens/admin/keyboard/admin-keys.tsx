import { useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Icon } from '../../../components/text/icon.tsx'
import { useIsSupport } from '../../../hooks/use-visitor.ts'
import { reviewPath } from '../links.ts'
import { useSections } from './sections.ts'
import { areKeysOn, setKeysOn, useKeys } from './use-keys.ts'

/** Milliseconds in which the letter of a section follows `g`. */
const patience = 1_500

const rows = () =>
  [...document.querySelectorAll<HTMLElement>('#main [data-list-row]')].filter(
    (row) => row.offsetParent !== null,
  )

/** Moves the focus down (1) or up (-1) the rows of the list on screen. */
function move(step: 1 | -1) {
  const all = rows()
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = at === -1 ? all[step === 1 ? 0 : all.length - 1] : all[at + step]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

const press = (key: string) =>
  document.querySelector<HTMLButtonElement>(`#main [data-key="${key}"]:not(:disabled)`)?.click()

const focus = (field: string) => document.querySelector<HTMLInputElement>(`#main ${field}`)?.focus()

/** The keys of every admin screen, and the button that lists them. */
export function AdminKeys() {
  const navigate = useNavigate()
  const sections = useSections()
  const isSupport = useIsSupport()
  const [isOpen, setOpen] = useState(false)
  const goTo = useRef(Number.NEGATIVE_INFINITY)
  const isGoing = (event: KeyboardEvent) => event.timeStamp - goTo.current < patience
  const go = (key: string, otherwise?: () => void) => (event: KeyboardEvent) => {
    const section = isGoing(event) ? sections.find((each) => each.key === key) : undefined
    goTo.current = Number.NEGATIVE_INFINITY
    if (section) navigate(section.to)
    else otherwise?.()
  }
  useKeys({
    ...Object.fromEntries(sections.map(({ key }) => [key, go(key)])),
    g: (event) => {
      goTo.current = event.timeStamp
    },
    '/': () => focus('[data-search=all]'),
    f: () => focus('[data-search=list]'),
    '?': () => setOpen(true),
    j: () => move(1),
    k: () => move(-1),
    n: () => press('n'),
    p: () => press('p'),
    u: go('u', () => press('u')),
    ...(isSupport ? {} : { v: () => navigate(reviewPath) }),
  })
  return (
    <>
      <button
        type="button"
        className="hidden min-h-12 items-center gap-2.5 px-6.5 text-sm whitespace-nowrap text-mint lg:flex"
        onClick={() => setOpen(true)}
      >
        <Icon name="keyboard" className="size-5" />
        Keyboard shortcuts
      </button>
      {isOpen && <KeyList onClose={() => setOpen(false)} />}
    </>
  )
}

type Row = readonly [keys: string, what: string]

const listKeys: readonly Row[] = [
  ['/', 'Search everything'],
  ['F', 'Search this list'],
  ['J K', 'Next or previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close the details'],
  ['N P', 'Next or previous page'],
]

/** Those of decisions, which support does not make (R210). */
const decisionKeys: readonly Row[] = [
  ['V', 'Review applications'],
  ['A R S', 'Approve, reject or skip an application'],
  ['← →', 'Previous or next application'],
  ['U', 'Undo'],
  ['Ctrl Enter', 'Resolve the dispute'],
]

function KeyList({ onClose }: { onClose: () => void }) {
  const sections = useSections()
  const isSupport = useIsSupport()
  const [isOn, setOn] = useState(areKeysOn)
  const rows: readonly Row[] = [
    ...listKeys,
    ...(isSupport ? [] : decisionKeys),
    ['G, then', sections.map(({ key, label }) => `${key.toUpperCase()} ${label}`).join(', ')],
    ['?', 'This list'],
  ]
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {rows.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt className="font-mono font-bold">{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="flex min-h-12 items-center gap-3 font-semibold">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target: { checked } }) => {
            setKeysOn(checked)
            setOn(checked)
          }}
          className="size-5 accent-green"
        />
        Use single keys as shortcuts
      </label>
    </Dialog>
  )
}
