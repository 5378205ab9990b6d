import { Button } from '#app/components/forms/button.tsx'
import { useDemo, useDemoState } from '../demo-context.ts'
import type { TourName } from './state.ts'

/** On Home: begins a tour with one tap. */
export function HomeCard() {
  const controls = useDemo()
  const { switching } = useDemoState()
  const begin = async (name: TourName) => (await import('./tour.tsx')).beginTour(name, controls)
  return (
    <section className="card grid gap-3" aria-labelledby="tours">
      <div className="grid gap-0.5">
        <h2 id="tours">See it in one minute</h2>
        <p className="text-sm text-soft">
          Ten taps take a parcel from the request to the payment, through everybody’s hands.
        </p>
      </div>
      <div className="flex flex-wrap gap-2 *:flex-auto">
        <Button icon="flag" disabled={switching} onClick={() => begin('parcel')}>
          Begin the tour
        </Button>
        <Button look="line" disabled={switching} onClick={() => begin('office')}>
          Tour of the office
        </Button>
      </div>
    </section>
  )
}
