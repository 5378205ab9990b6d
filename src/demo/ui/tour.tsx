import { type ReactNode, useEffect } from 'react'
import { Icon } from '#app/components/text/icon.tsx'
import { useLive } from '#app/hooks/use-live.ts'
import { roomPath } from '#app/paths.ts'
import { activeJob } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { type Player, useScene, useStage } from './demo-context.ts'
import { useSpotlight } from './spotlight.ts'
import { useFacts } from './tour-facts.ts'
import { useTour } from './tour-state.ts'
import { parcel, type Step, steps } from './tour-steps.ts'

/** Two minutes with one delivery, through everybody's hands. */
export function Tour() {
  const { shown, step } = useTour()
  if (!shown) return null
  const now = steps[step]
  return now ? <OnStep key={step} step={now} /> : <Over />
}

/** It goes on by itself, once what it asks for has really happened. */
function OnStep({ step }: { step: Step }) {
  const { players } = useStage()
  const { playing } = useScene()
  const { id = '', code = '', ready = false } = useTour()
  const facts = useFacts(id)
  const isThem = playing === step.player && ready
  const inPlace = isThem && facts.path === step.path(id)
  useAdvance(isThem && step.done(facts), facts.row)
  useSpotlight(inPlace ? step.target : undefined)
  const who = players.find(({ key }) => key === step.player)
  if (!who) return null
  return (
    <Card say={inPlace ? step.say : step.lead(code)}>
      {inPlace ? (
        <>
          <p className="demo-why">{step.why}</p>
          {step.player === 'driver' && <Hindered id={id} />}
        </>
      ) : (
        <Enter step={step} who={who} />
      )}
    </Card>
  )
}

function Over() {
  const { again, open } = useTour()
  return (
    <Card say="One delivery, from the first letter typed to the payment.">
      <p className="demo-why">
        All of it ran in this browser: the app, the server and its database. Open a second tab as
        somebody else, or make the network lossy, and try to lose something.
      </p>
      <div className="demo-row">
        <button type="button" className="demo-go" onClick={() => open(false)}>
          Look around
        </button>
        <button type="button" className="demo-quiet" onClick={again}>
          Once more
        </button>
      </div>
    </Card>
  )
}

function Card({ say, children }: { say: string; children: ReactNode }) {
  const { step, open } = useTour()
  const count = steps.length
  return (
    <section aria-label="Guided tour" className="demo-card">
      <div className="demo-steps" role="img" aria-label={`${step} of ${count} steps done`}>
        {steps.map(({ why }, at) => (
          <i key={why} data-done={at < step ? '' : undefined} />
        ))}
      </div>
      <div className="demo-row">
        <p role="status">
          <strong>{say}</strong>
        </p>
        <button
          type="button"
          className="demo-quit"
          aria-label="Leave the tour; it can be taken up again"
          onClick={() => open(false)}
        >
          <Icon name="close" className="size-5" />
        </button>
      </div>
      {children}
    </section>
  )
}

/** The way to where the step is done, as who does it. */
function Enter({ step, who }: { step: Step; who: Player }) {
  const { become, go } = useStage()
  const { playing, changing } = useScene()
  const { id = '', ready = false, note } = useTour()
  const enter = async () => {
    if (playing === step.player && ready) return go(step.path(id))
    await become(step.player, step.path(id), ready ? undefined : parcel)
    note({ ready: true })
  }
  return (
    <button
      type="button"
      className="demo-go"
      data-lit=""
      disabled={changing}
      onClick={() => void enter()}
    >
      <img src={who.face} alt="" />
      {playing === step.player && ready
        ? 'Take me there'
        : `Become ${who.name.split(' ')[0]}, ${who.role.toLowerCase()}`}
    </button>
  )
}

/** A driver carries one parcel at a time: one taken earlier comes first. */
function Hindered({ id }: { id: string }) {
  const { go } = useStage()
  const job = useLive(activeJob)
  if (!job || job.ID === id) return null
  return (
    <button type="button" className="demo-go" onClick={() => go(roomPath(job.ID))}>
      First finish “{job.view.itemDescription}”
    </button>
  )
}

/** Long enough to see that it was done. Milliseconds. */
const pause = 900

function useAdvance(over: boolean, row: DeliveryRow | undefined) {
  const { note, step, id, code } = useTour()
  const next = { step: step + 1, id: id ?? row?.ID, code: row?.view.deliveryCode ?? code }
  const seen = JSON.stringify(next)
  useEffect(() => {
    if (!over) return
    const timer = setTimeout(() => note(JSON.parse(seen)), pause)
    return () => clearTimeout(timer)
  }, [over, seen, note])
}
