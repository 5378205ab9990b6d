import { baseUrl, storagePrefix } from '#app/browser/base-url.ts'
import { type DemoServer, openDemoServer } from './backend/server.ts'
import { withBuildLock } from './devices/demo-databases.ts'
import { showPhotosWithoutWorker } from './devices/photos.ts'
import { chosenPayments } from './devices/tab-state.ts'
import { watchPayments } from './devices/watch-payments.ts'
import { watchTexts } from './devices/watch-texts.ts'
import { startSimulation } from './simulation/run.ts'
import { useDemoState } from './ui/demo-context.ts'
import { isTouring } from './ui/tour/state.ts'

export type City = { server: DemoServer; stopSimulation: () => Promise<void> }

/**
 * Opens the server, builds its city if there is none, and lets the city live. A part of the demo of its own,
 * loaded while the app is drawn already.
 */
export async function startCity(): Promise<City> {
  const server = await openDemoServer({
    storagePrefix,
    home: baseUrl.href,
    paymentMode: () => chosenPayments.get() ?? 'direct',
    withBuildLock,
  })
  showPhotosWithoutWorker(server.demoDb, `${baseUrl.href}photos/api/images/`)
  watchTexts(server.demoDb)
  watchPayments(server)
  return { server, stopSimulation: simulate(server) }
}

/** Starts the simulation, in one tab of the demo at a time. Returns the function that stops it. */
const simulate = ({ ports }: DemoServer) =>
  startSimulation({
    ports,
    visitorWaits: () => {
      const { persona } = useDemoState.getState()
      return (persona === 'guest' || persona === 'sender') && !isTouring()
    },
    locks: navigator.locks,
    // Named as in earlier versions, so that tabs of both take turns.
    lockName: `${storagePrefix}life`,
    page: document,
  })
