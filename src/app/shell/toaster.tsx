import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocation, useNavigate } from 'react-router-dom'
import { times } from '#domain/product.ts'
import type { Entry } from '#store/entries/operations.ts'
import type { Soma } from '#store/open.ts'
import { activeUploads, cancellations, outcomes, promptsOf } from '#store/queries/outbox/outbox.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { Icon, type IconName } from '../components/text/icon.tsx'
import { useOwn } from '../hooks/use-live.ts'
import { useSoma } from '../hooks/use-soma.ts'
import { roomPath } from '../paths.ts'
import { outcomeToast } from '../texts/outbox-texts.ts'
import { dismiss, leaveScreen, type QueuedToast, toast, toastAll, useToasts } from '../toasts.ts'
import { useAnnouncements } from './use-announcements.ts'

export type Regions = { status: HTMLElement; alert: HTMLElement }

/** Shows how the outbox's entries ended, one toast at a time, five seconds each (R81). */
export default function Toaster({ status, alert }: Regions) {
  useOutcomeToasts()
  useUploadToasts()
  useAnnouncements()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the screen changes with the path.
  useEffect(leaveScreen, [pathname])
  const now = useUnpressed(useToasts((stack) => stack.now))
  if (!now) return null
  return createPortal(<Card key={now.id} shown={now} />, now.destructive ? alert : status)
}

/** The value as it was when a press began, until it ends: a toast that comes or leaves moves what is pressed. */
function useUnpressed<T>(value: T): T {
  const [isPressed, setIsPressed] = useState(false)
  const last = useRef(value)
  useEffect(() => {
    const follow = ({ type }: Event) => setIsPressed(type === 'pointerdown')
    const types = ['pointerdown', 'pointerup', 'pointercancel']
    for (const type of types) addEventListener(type, follow, true)
    return () => {
      for (const type of types) removeEventListener(type, follow, true)
    }
  }, [])
  if (!isPressed) last.current = value
  return last.current
}

function Card({ shown }: { shown: QueuedToast }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [isHeld, setIsHeld] = useState(false)
  const { id, title, text, action } = shown
  const kind = kindOf(shown)
  const { edge, mark, icon } = looks[kind]
  const card = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen has another top bar.
  useLayoutEffect(() => placeToasts(card.current), [pathname])
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(id), times.toast)
    return () => clearTimeout(timer)
  }, [isHeld, id])
  const follow = (to: string) => {
    dismiss(id)
    navigate(to)
  }
  return (
    // Held by pointer or focus, so that nobody is hurried while reading or reaching for the button.
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for whether it is being read.
    <div
      ref={card}
      data-toast={kind}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className={`pointer-events-auto flex items-start gap-3 rounded-card border-2 bg-card py-2.5 pr-1 pl-3.5 text-ink shadow-lift [animation:fade_.18s_ease-out] ${edge}`}
    >
      <span className={`mt-0.5 ${mark}`}>
        <Icon name={icon} />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <strong>{title}</strong>
        {text && <span className="text-sm text-soft">{text}</span>}
        {action && action.to !== pathname && (
          <button
            type="button"
            onClick={() => follow(action.to)}
            className="mt-1 min-h-12 justify-self-start rounded-control border-[1.5px] border-line px-4 font-bold text-green"
          >
            {action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => dismiss(id)}
        className="-my-2.5 grid size-12 shrink-0 place-items-center rounded-full text-soft"
      >
        <Icon name="close" />
      </button>
    </div>
  )
}

type Kind = 'destructive' | 'plain' | 'success'

const kindOf = ({ destructive, plain }: QueuedToast): Kind =>
  destructive ? 'destructive' : plain ? 'plain' : 'success'

const looks: Record<Kind, { edge: string; mark: string; icon: IconName }> = {
  destructive: { edge: 'border-red', mark: 'text-red', icon: 'alert' },
  plain: { edge: 'border-edge', mark: 'text-soft', icon: 'clock' },
  success: { edge: 'border-green', mark: 'text-green', icon: 'check' },
}

/** What a toast must not lie on. */
const kept = 'a, button, input, select, textarea, label, summary, h2'
/** Rows that the browser lays out only where they are seen (`RowGrid`). */
const offScreen = '.off-screen-skipped'

/**
 * Puts toasts below the top bar, or at the head of an open dialog. What a person might tap there moves down with its
 * screen (`--toast-space`, styles.css), so that nothing under a finger is covered. Returns the clean-up.
 */
function placeToasts(card: HTMLElement | null): (() => void) | undefined {
  const section = card?.closest('section')
  if (!card || !section) return undefined
  const root = document.documentElement
  const place = () => {
    const dialog = document.querySelector('dialog[open]')
    const top = dialog ? 0 : barBottom()
    section.style.top = `${top}px`
    if (isFree(card, dialog ?? document)) return
    const space = card.getBoundingClientRect().bottom + gap - top
    if (dialog || scrollY < space) root.style.setProperty('--toast-space', `${space}px`)
    // Further down, the page has the space above.
    else if (!placed.has(card)) scrollBy(0, -space)
    placed.add(card)
  }
  place()
  const observer = new ResizeObserver(place)
  observer.observe(document.body)
  return () => {
    observer.disconnect()
    root.style.removeProperty('--toast-space')
  }
}

/** Pixels between a toast and what it pushed down. */
const gap = 8

/** The toasts that have scrolled their page. */
const placed = new WeakSet<HTMLElement>()

/** Pixels that the top bar takes. The admin area has it at the side on a wide screen. */
function barBottom(): number {
  const bar = document.querySelector('header')?.getBoundingClientRect()
  return bar && bar.width > innerWidth / 2 ? Math.max(0, bar.bottom) : 0
}

function isFree(card: HTMLElement, screen: ParentNode): boolean {
  const over = card.getBoundingClientRect()
  const isApart = (each: Element) => {
    const { top, right, bottom, left, width } = each.getBoundingClientRect()
    const isBeside =
      bottom <= over.top || top >= over.bottom || right <= over.left || left >= over.right
    // At most a pixel wide: only for screen readers.
    return isBeside || width <= 1
  }
  // To ask for a place in rows that are not laid out lays all of them out.
  const skipped = new Set([...screen.querySelectorAll(offScreen)].filter(isApart))
  const isSkipped = (each: Element) => skipped.has(each.closest(offScreen) ?? each)
  return [...screen.querySelectorAll(kept)].every(
    (each) => isSkipped(each) || isApart(each) || card.contains(each),
  )
}

async function outcomesToTell(db: Soma['db'], account?: string) {
  const ended = await outcomes(db, account)
  const [cancelled, prompts] = await Promise.all([cancellations(db, ended), promptsOf(db, ended)])
  return { ended, cancelled, prompts }
}

/** A refused code is said below its field, where its delivery's room is on the screen. */
const isAtItsField = ({ op, state, lane }: Entry, pathname: string): boolean =>
  op === 'completeDelivery' && state === 'refused' && pathname === roomPath(lane)

/** Shows how each entry ended, once; of many at a time, the first few and how many more there are. */
function useOutcomeToasts() {
  const { commands } = useSoma()
  const found = useOwn(outcomesToTell)
  const seen = useRef(new Set<string>())
  const pathname = useRef('')
  pathname.current = useLocation().pathname
  useEffect(() => {
    // A retried entry ends again, and has another toast.
    const fresh = (found?.ended ?? []).filter(
      ({ id, endedAt }) => !seen.current.has(`${id} ${endedAt}`),
    )
    if (fresh.length === 0) return
    for (const { id, endedAt } of fresh) seen.current.add(`${id} ${endedAt}`)
    toastAll(
      fresh.flatMap((entry) => {
        const said = outcomeToast(
          entry,
          found?.cancelled.has(entry.id),
          found?.prompts.get(entry.id),
        )
        if (!said || isAtItsField(entry, pathname.current)) return []
        return [{ ...said, about: entry.lane }]
      }),
    )
    void commands
      .sawOutcomes(fresh.map(({ id }) => id))
      .catch((error: unknown) => note('Outcomes were not marked as seen', { error }))
  }, [found, commands])
}

/** Shows a toast when an upload starts, because it may take minutes on a slow network. */
function useUploadToasts() {
  const uploading = useOwn(activeUploads)
  const seen = useRef(new Set<string>())
  useEffect(() => {
    for (const id of uploading ?? []) {
      if (seen.current.has(id)) continue
      seen.current.add(id)
      toast({
        title: 'Uploading photo...',
        text: 'Please wait while we upload your photo.',
        plain: true,
        late: true,
      })
    }
  }, [uploading])
}
