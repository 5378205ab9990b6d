import { type ReactNode, useEffect } from 'react'
import { Icon } from '#app/components/text/icon.tsx'
import { useLive } from '#app/hooks/use-live.ts'
import { roomPath } from '#app/paths.ts'
import { activeJob } from '#store/queries/deliveries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { type PersonaOption, useDemo, useDemoState } from '../demo-context.ts'
import { useTourFacts } from './facts.ts'
import { useSpotlight } from './spotlight.ts'
import { useTour } from './state.ts'
import { type Step, steps, tourDraft } from './steps.ts'

/** A guided tour: one delivery, played as every persona in turn. */
export default function Tour() {
  const { step } = useTour()
  const current = steps[step]
  return current ? <CurrentStep key={step} step={current} /> : <TourEnd />
}

/** The tour goes on by itself once the step is done. */
function CurrentStep({ step }: { step: Step }) {
  const { personas } = useDemo()
  const { persona } = useDemoState()
  const { id = '', code = '', ready = false } = useTour()
  const facts = useTourFacts(id)
  const isPersona = persona === step.persona && ready
  const inPlace = isPersona && facts.path === step.path(id)
  useAdvance(isPersona && step.done(facts), facts.row)
  useSpotlight(inPlace ? step.target : undefined)
  const option = personas.find(({ key }) => key === step.persona)
  if (!option) return null
  return (
    <Card text={inPlace ? step.instruction : step.lead(code)}>
      {inPlace ? (
        <>
          <p className="demo-why">{step.reason}</p>
          {step.persona === 'driver' && <OtherJob id={id} />}
        </>
      ) : (
        <Enter step={step} option={option} />
      )}
    </Card>
  )
}

function TourEnd() {
  const { restart, open } = useTour()
  return (
    <Card text="One delivery, from the first letter typed to the payment.">
      <p className="demo-why">
        All of it ran in this browser: the app, the server and its database. Open a second tab as
        somebody else, or make the network lossy, and try to lose something.
      </p>
      <div className="demo-row">
        <button type="button" className="demo-go" onClick={() => open(false)}>
          Look around
        </button>
        <button type="button" className="demo-quiet" onClick={restart}>
          Once more
        </button>
      </div>
    </Card>
  )
}

function Card({ text, children }: { text: string; children: ReactNode }) {
  const { step, open } = useTour()
  const count = steps.length
  return (
    <section aria-label="Guided tour" className="demo-card">
      <div className="demo-steps" role="img" aria-label={`${step} of ${count} steps done`}>
        {steps.map(({ reason }, index) => (
          <i key={reason} data-done={index < step ? '' : undefined} />
        ))}
      </div>
      <div className="demo-row">
        <p role="status">
          <strong>{text}</strong>
        </p>
        <button
          type="button"
          className="demo-quit"
          aria-label="Leave the tour. You can resume it."
          onClick={() => open(false)}
        >
          <Icon name="close" className="size-5" />
        </button>
      </div>
      {children}
    </section>
  )
}

/** Leads to the step's screen, as the step's persona. */
function Enter({ step, option }: { step: Step; option: PersonaOption }) {
  const { switchPersona, go } = useDemo()
  const { persona, switching } = useDemoState()
  const { id = '', ready = false, update } = useTour()
  const enter = async () => {
    if (persona === step.persona && ready) return go(step.path(id))
    await switchPersona(step.persona, step.path(id), ready ? undefined : tourDraft)
    update({ ready: true })
  }
  return (
    <button
      type="button"
      className="demo-go"
      data-lit=""
      disabled={switching}
      onClick={() => void enter()}
    >
      <img src={option.portrait} alt="" />
      {persona === step.persona && ready
        ? 'Take me there'
        : `Become ${option.name.split(' ')[0]}, ${option.role.toLowerCase()}`}
    </button>
  )
}

/** A driver has one active job at a time: a job that was accepted before must be finished first. */
function OtherJob({ id }: { id: string }) {
  const { go } = useDemo()
  const job = useLive(activeJob)
  if (!job || job.ID === id) return null
  return (
    <button type="button" className="demo-go" onClick={() => go(roomPath(job.ID))}>
      First finish “{job.view.itemDescription}”
    </button>
  )
}

/** Milliseconds for which a finished step stays on the screen. */
const pause = 900

/** Goes on to the next step once this one is done. */
function useAdvance(isDone: boolean, row: DeliveryRow | undefined) {
  const { update, step, id, code } = useTour()
  const next = { step: step + 1, id: id ?? row?.ID, code: row?.view.deliveryCode ?? code }
  const serialized = JSON.stringify(next)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => update(JSON.parse(serialized)), pause)
    return () => clearTimeout(timer)
  }, [isDone, serialized, update])
}
