import { lazy, Suspense, useState } from 'react'
import { Icon, type IconName } from '#app/components/text/icon.tsx'
import { useLive } from '#app/hooks/use-live.ts'
import { paths } from '#app/paths.ts'
import { outboxSummary } from '#store/queries/queries.ts'
import { useScene, useStage } from './demo-context.ts'
import { SignalIcon, SkySwitch, skies } from './network-switch.tsx'
import { useTour } from './tour-state.ts'

const Menu = lazy(() => import('./menu.tsx'))
const Inbox = lazy(() => import('./inbox.tsx'))
const Reset = lazy(() => import('./reset.tsx'))

type Sheet = 'menu' | 'inbox' | 'reset'

/** Who the visitor is, and what they can do to the world around the phone. */
export function Bar() {
  const { leaveTo } = useStage()
  const [sheet, setSheet] = useState<Sheet>()
  // One that makes room for another is told that it was closed when the other is open already.
  const closing = (which: Sheet) => () => setSheet((open) => (open === which ? undefined : open))
  return (
    <div className="demo-bar">
      <strong className="demo-wide">Demo</strong>
      <Faces />
      <Me onPress={() => setSheet('menu')} />
      <span className="demo-gap" />
      <div className="demo-wide">
        <SkySwitch />
      </div>
      <Signal />
      <OutboxGlance />
      <InboxButton onPress={() => setSheet('inbox')} />
      <TourButton />
      <Small className="demo-wide" icon="retry" label="Reset" onPress={() => setSheet('reset')} />
      {leaveTo && (
        <a href={leaveTo} className="demo-small demo-wide">
          <Icon name="close" className="size-5" />
          Leave
        </a>
      )}
      <Suspense>
        {sheet === 'menu' && <Menu onClose={closing('menu')} onReset={() => setSheet('reset')} />}
        {sheet === 'inbox' && <Inbox onClose={closing('inbox')} />}
        {sheet === 'reset' && <Reset onClose={closing('reset')} />}
      </Suspense>
    </div>
  )
}

/** Everybody at once, where there is room. */
function Faces() {
  const { players, become } = useStage()
  const { playing, changing } = useScene()
  return (
    <fieldset className="demo-faces demo-wide">
      <legend className="sr-only">Who you are</legend>
      {players.map(({ key, name, role, face }) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === playing}
          aria-label={`${role}: ${name}`}
          title={name}
          disabled={changing}
          onClick={() => void become(key)}
          className="demo-face"
        >
          <img src={face} alt="" />
          <span className="demo-me">
            <span>{role}</span>
            <strong>{name.split(' ')[0]}</strong>
          </span>
        </button>
      ))}
    </fieldset>
  )
}

/** On a phone: who they are, and the way to everything else. */
function Me({ onPress }: { onPress: () => void }) {
  const { players } = useStage()
  const { playing } = useScene()
  const me = players.find(({ key }) => key === playing)
  if (!me) return null
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={`Demo: you are ${me.name}, ${me.role}. Change`}
      onClick={onPress}
      className="demo-face demo-narrow"
      data-tour="me"
    >
      <img src={me.face} alt="" />
      <span className="demo-me">
        <span>Demo · {me.role}</span>
        <strong>{me.name}</strong>
      </span>
    </button>
  )
}

/** One tap takes the network away and brings it back; the menu has the weather in between. */
function Signal() {
  const { setSky } = useStage()
  const { sky } = useScene()
  const off = sky === 'off'
  return (
    <button
      type="button"
      aria-pressed={off}
      aria-label={off ? 'Switch the network on' : 'Switch the network off'}
      onClick={() => setSky(off ? 'fine' : 'off')}
      className={`demo-small demo-narrow ${sky === 'fine' ? '' : 'demo-lit'}`}
      data-tour="network"
    >
      <SignalIcon sky={sky} />
      {skies[sky]}
    </button>
  )
}

function OutboxGlance() {
  const { go } = useStage()
  const summary = useLive(outboxSummary)
  const unsent = summary?.unsent ?? 0
  return (
    <Small
      icon="outbox"
      label="Outbox"
      count={unsent}
      said={unsent === 0 ? 'nothing waits' : `${unsent} waiting`}
      onPress={() => go(paths.outbox)}
    />
  )
}

function InboxButton({ onPress }: { onPress: () => void }) {
  const { texts, seen } = useScene()
  const fresh = texts.filter(({ id }) => id > seen).length
  return (
    <>
      <Small
        icon="chat"
        label="SMS"
        count={fresh}
        said={fresh === 0 ? 'no new texts' : `${fresh} new`}
        onPress={onPress}
      />
      <span role="status" className="sr-only">
        {fresh > 0 ? 'A text has arrived' : ''}
      </span>
    </>
  )
}

function TourButton() {
  const { open, shown } = useTour()
  return (
    <Small
      icon="flag"
      label="Tour"
      said={shown ? 'hide the tour' : 'a tour of two minutes'}
      pressed={shown}
      onPress={() => open(!shown)}
    />
  )
}

function Small(about: {
  icon: IconName
  label: string
  onPress: () => void
  said?: string
  count?: number
  pressed?: boolean
  className?: string
}) {
  const { icon, label, said, count = 0, pressed, className = '', onPress } = about
  return (
    <button
      type="button"
      aria-label={said ? `${label}: ${said}` : undefined}
      aria-pressed={pressed}
      onClick={onPress}
      className={`demo-small ${className}`}
    >
      <Icon name={icon} className="size-5" />
      {label}
      {count > 0 && <span className="demo-count">{count}</span>}
    </button>
  )
}
