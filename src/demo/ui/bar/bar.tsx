import { lazy, Suspense, useState } from 'react'
import { Icon, type IconName } from '#app/components/text/icon.tsx'
import { useLive } from '#app/hooks/use-live.ts'
import { paths } from '#app/paths.ts'
import { outboxSummary } from '#store/queries/queries.ts'
import { useDemo, useDemoState } from '../demo-context.ts'
import { useTour } from '../tour/state.ts'
import { NetworkSwitch, networkLabels, SignalIcon } from './network-switch.tsx'

const Menu = lazy(() => import('./menu.tsx'))
const Inbox = lazy(() => import('./inbox.tsx'))
const Reset = lazy(() => import('./reset.tsx'))

type Sheet = 'menu' | 'inbox' | 'reset'

/** The demo's bar: the active persona, the network, the inbox, the tour and the reset. */
export function Bar() {
  const { leaveUrl } = useDemo()
  const [sheet, setSheet] = useState<Sheet>()
  // A sheet that is replaced reports its closing after the next one is open, which must stay open.
  const close = (which: Sheet) => () => setSheet((open) => (open === which ? undefined : open))
  return (
    <div className="demo-bar">
      <strong className="demo-wide">Demo</strong>
      <Personas />
      <ActivePersona onPress={() => setSheet('menu')} />
      <span className="demo-gap" />
      <div className="demo-wide">
        <NetworkSwitch />
      </div>
      <NetworkToggle />
      <OutboxButton />
      <InboxButton onPress={() => setSheet('inbox')} />
      <TourButton />
      <BarButton
        className="demo-wide"
        icon="retry"
        label="Reset"
        onPress={() => setSheet('reset')}
      />
      {leaveUrl && (
        <a href={leaveUrl} className="demo-small demo-wide">
          <Icon name="close" className="size-5" />
          Leave
        </a>
      )}
      <Suspense>
        {sheet === 'menu' && <Menu onClose={close('menu')} onReset={() => setSheet('reset')} />}
        {sheet === 'inbox' && <Inbox onClose={close('inbox')} />}
        {sheet === 'reset' && <Reset onClose={close('reset')} />}
      </Suspense>
    </div>
  )
}

/** All personas, on a wide screen. */
function Personas() {
  const { personas, switchPersona } = useDemo()
  const { persona, switching } = useDemoState()
  return (
    <fieldset className="demo-faces demo-wide">
      <legend className="sr-only">Who you are</legend>
      {personas.map(({ key, name, role, portrait }) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === persona}
          aria-label={`${role}: ${name}`}
          title={name}
          disabled={switching}
          onClick={() => void switchPersona(key)}
          className="demo-face"
        >
          <img src={portrait} alt="" />
          <span className="demo-me">
            <span>{role}</span>
            <strong>{name.split(' ')[0]}</strong>
          </span>
        </button>
      ))}
    </fieldset>
  )
}

/** The active persona, on a phone; opens the menu. */
function ActivePersona({ onPress }: { onPress: () => void }) {
  const { personas } = useDemo()
  const { persona } = useDemoState()
  const me = personas.find(({ key }) => key === persona)
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
      <img src={me.portrait} alt="" />
      <span className="demo-me">
        <span>Demo · {me.role}</span>
        <strong>{me.name}</strong>
      </span>
    </button>
  )
}

/** Switches the network off and on; the menu offers the conditions between. */
function NetworkToggle() {
  const { setNetwork } = useDemo()
  const { network } = useDemoState()
  const off = network === 'off'
  return (
    <button
      type="button"
      aria-pressed={off}
      aria-label={off ? 'Switch the network on' : 'Switch the network off'}
      onClick={() => setNetwork(off ? 'fine' : 'off')}
      className={`demo-small demo-narrow ${network === 'fine' ? '' : 'demo-lit'}`}
      data-tour="network"
    >
      <SignalIcon network={network} />
      {networkLabels[network]}
    </button>
  )
}

function OutboxButton() {
  const { go } = useDemo()
  const summary = useLive(outboxSummary)
  const unsent = summary?.unsent ?? 0
  return (
    <BarButton
      icon="outbox"
      label="Outbox"
      count={unsent}
      status={unsent === 0 ? 'all caught up' : `${unsent} waiting`}
      onPress={() => go(paths.outbox)}
    />
  )
}

function InboxButton({ onPress }: { onPress: () => void }) {
  const { texts, prompts, seen } = useDemoState()
  const unseen = texts.filter(({ id }) => id > seen).length + prompts.length
  return (
    <>
      <BarButton
        icon="chat"
        label="SMS"
        count={unseen}
        status={unseen === 0 ? 'no new texts' : `${unseen} new`}
        onPress={onPress}
      />
      <span role="status" className="sr-only">
        {unseen > 0 ? 'A text has arrived' : ''}
      </span>
    </>
  )
}

function TourButton() {
  const { open, shown } = useTour()
  return (
    <BarButton
      icon="flag"
      label="Tour"
      status={shown ? 'hide the tour' : 'a tour of one minute'}
      pressed={shown}
      onPress={() => open(!shown)}
    />
  )
}

type BarButtonProps = {
  icon: IconName
  label: string
  onPress: () => void
  /** Read out after the label. */
  status?: string
  count?: number
  pressed?: boolean
  className?: string
}

function BarButton({
  icon,
  label,
  onPress,
  status,
  count = 0,
  pressed,
  className = '',
}: BarButtonProps) {
  return (
    <button
      type="button"
      aria-label={status ? `${label}: ${status}` : undefined}
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
