import { type ReactNode, useEffect } from 'react'
import { Icon } from '#app/components/text/icon.tsx'
import { useLive } from '#app/hooks/use-live.ts'
import { useSoma } from '#app/hooks/use-soma.ts'
import { roomPath } from '#app/paths.ts'
import { activeJob } from '#store/queries/deliveries.ts'
import { useDemo, useDemoState } from '../demo-context.ts'
import { beginTour, enterStep } from './begin.ts'
import { useTourFacts } from './facts.ts'
import { useSpotlight } from './spotlight.ts'
import { type TourName, useTour } from './state.ts'
import { type Step, type TourFacts, tours } from './steps.ts'

export { Applicant } from '../applicant.tsx'
export { beginTour }

/** A guided tour: one delivery, played as every persona in turn, or a day in the office. */
export default function Tour() {
  const { name, step } = useTour()
  const current = tours[name].steps[step]
  return current ? <CurrentStep key={`${name} ${step}`} step={current} /> : <TourEnd />
}

/** The tour goes on by itself once the step is done. */
function CurrentStep({ step }: { step: Step }) {
  const { persona } = useDemoState()
  const { id = '', ready = false } = useTour()
  const facts = useTourFacts(id)
  const isPersona = persona === step.persona && ready
  const inPlace = isPersona && facts.path === pathnameOf(step, id)
  useAdvance(step, facts, isPersona)
  useSpotlight(inPlace ? step.target : undefined)
  useDeadZone(inPlace && step.isHandover === true)
  return (
    <Card text={inPlace ? step.instruction : step.lead}>
      {inPlace ? (
        <>
          <p className="demo-why">{step.reason}</p>
          {step.persona === 'driver' && <OtherJob id={id} />}
          {step.isHandover && <Handover id={id} isDone={step.done?.(facts) === true} />}
          {!step.done && <Next />}
        </>
      ) : (
        <Enter step={step} isPersona={isPersona} />
      )}
    </Card>
  )
}

const pathnameOf = (step: Step, id: string) => step.path(id).split('?')[0]

/** What a tour ends with stays until it was read. */
function TourEnd() {
  const { name, open } = useTour()
  const controls = useDemo()
  const { switching } = useDemoState()
  const { end, after } = tours[name]
  const [other, label]: [TourName, string] =
    name === 'parcel' ? ['office', 'Tour of the office'] : ['parcel', 'Tour of a parcel']
  return (
    <Card text={end}>
      <p className="demo-why">{after}</p>
      <div className="demo-row">
        <button type="button" className="demo-go" onClick={() => open(false)}>
          Look around
        </button>
        <button
          type="button"
          className="demo-quiet"
          disabled={switching}
          onClick={() => void beginTour(other, controls)}
        >
          {label}
        </button>
      </div>
    </Card>
  )
}

function Card({ text, children }: { text: string; children: ReactNode }) {
  const { name, step, open } = useTour()
  const { steps } = tours[name]
  return (
    <section aria-label="Guided tour" className="demo-card">
      <div className="demo-steps" role="img" aria-label={`${step} of ${steps.length} steps done`}>
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
function Enter({ step, isPersona }: { step: Step; isPersona: boolean }) {
  const controls = useDemo()
  const { switching } = useDemoState()
  const { id = '' } = useTour()
  const option = controls.personas.find(({ key }) => key === step.persona)
  if (!option) return null
  return (
    <button
      type="button"
      className="demo-go"
      data-lit=""
      disabled={switching}
      onClick={() => (isPersona ? controls.go(step.path(id)) : void enterStep(step, controls))}
    >
      <img src={option.portrait} alt="" />
      {isPersona
        ? 'Take me there'
        : `Become ${option.name.split(' ')[0]}, ${option.role.toLowerCase()}`}
    </button>
  )
}

/** Of a step that is only read: to the screen of the next one. */
function Next() {
  const { go } = useDemo()
  const { name, step, id = '', update } = useTour()
  const next = () => {
    const following = tours[name].steps[step + 1]
    update({ step: step + 1 })
    if (following) go(following.path(id))
  }
  return (
    <button type="button" className="demo-go" onClick={next}>
      Next
    </button>
  )
}

/** Stands in for the driver's camera: the code is the one on the recipient's screen, and his phone has compared it. */
function Handover({ id, isDone }: { id: string; isDone: boolean }) {
  const { commands } = useSoma()
  const { secret } = useTour()
  if (!secret || isDone) return null
  return (
    <button
      type="button"
      className="demo-go"
      data-lit=""
      onClick={() => void commands.proveHandover(id, secret)}
    >
      <Icon name="camera" className="size-6" />
      Scan Adwoa’s code
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

/** The network is off for as long as the step is on the screen. */
function useDeadZone(isOff: boolean) {
  const { setNetwork } = useDemo()
  useEffect(() => {
    if (!isOff) return
    setNetwork('off')
    return () => setNetwork('fine')
  }, [isOff, setNetwork])
}

/** Milliseconds for which a finished step stays on the screen. */
const usualPause = 900

/** Goes on to the next step once this one is done. */
function useAdvance({ done, pause = usualPause }: Step, facts: TourFacts, isPersona: boolean) {
  const { update, step, ...known } = useTour()
  const isDone = isPersona && done?.(facts) === true
  const id = known.id ?? facts.row?.ID
  const secret = known.secret ?? facts.secret
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => update({ step: step + 1, id, secret }), pause)
    return () => clearTimeout(timer)
  }, [isDone, step, id, secret, pause, update])
}
