import type { DemoControls } from '../demo-context.ts'
import { type TourName, useTour } from './state.ts'
import { type Step, tours } from './steps.ts'

/** Begins a tour from its first screen. */
export async function beginTour(name: TourName, controls: DemoControls): Promise<void> {
  useTour.getState().restart(name)
  const [first] = tours[name].steps
  if (first) await enterStep(first, controls)
}

/** Shows the screen of a step, as its persona. */
export async function enterStep(step: Step, { switchPersona }: DemoControls): Promise<void> {
  const { id = '', ready, update } = useTour.getState()
  await switchPersona(step.persona, step.path(id), ready ? undefined : step.draft)
  update({ ready: true })
}
