import '#app/styles.css'
import { lazy } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { baseUrl } from '#app/browser/base-url.ts'
import { preparePage } from '#app/browser/prepare-page.ts'
import { isBusy } from '#app/browser/update/reload-guard.ts'
import { startUpdates } from '#app/browser/update/update.ts'
import { LoginHelpContext } from '#app/screens/auth/login-help.ts'
import { HomeCardContext } from '#app/screens/home/home-card.ts'
import type { Soma } from '#store/open.ts'
import { simulateNetwork } from './backend/network-conditions.ts'
import { activeDevice } from './devices/active-device.ts'
import { makeLinksAbsolute, navigate, newTabUrl, readEntryUrl } from './devices/address.ts'
import { deleteDemoDatabases, openDemoDatabases } from './devices/demo-databases.ts'
import { personaOptions } from './devices/persona-options.ts'
import { photoWorkerReady } from './devices/photos.ts'
import { chosenPayments, clearTabState, tabState } from './devices/tab-state.ts'
import { demoPassword, type PersonaKey, personas } from './simulation/personas.ts'
import type { City } from './start.ts'
import { DemoContext, type DemoControls, useDemoState } from './ui/demo-context.ts'
import { Frame } from './ui/frame.tsx'
import { HomeCard } from './ui/tour/home-card.tsx'

const AdminCredentials = lazy(() => import('./ui/admin-credentials.tsx'))

const element = document.getElementById('root')
if (element) void open(element)

async function open(element: HTMLElement): Promise<void> {
  preparePage()
  makeLinksAbsolute()
  const requested = readEntryUrl()
  const { city, begin } = loadCity()
  await openDemoDatabases(startAnew)
  const server = city.then((loaded) => loaded.server)
  const network = simulateNetwork(async (request) => (await server).fetch(request))
  const device = activeDevice({
    network,
    server,
    render: renderer(element, () => controls),
  })
  const controls: DemoControls = {
    personas: personaOptions,
    switchPersona: device.switchPersona,
    go: navigate,
    newTabUrl,
    admin: { ...personas.admin, password: demoPassword },
    setNetwork(condition) {
      tabState.network.set(condition)
      network.setCondition(condition)
      useDemoState.setState({ network: condition })
    },
    setPayments(mode) {
      chosenPayments.set(mode)
      // A tab hears nothing of what it stores itself.
      dispatchEvent(new Event('storage'))
    },
    approveDriver: async () =>
      (await import('./devices/approve-driver.ts')).approveDriver(await server),
    answerPrompt: async (...answer) => (await (await server).payments()).answer(...answer),
    async reset() {
      await (await city).stopSimulation()
      await device.close()
      await (await server).close()
      await deleteDemoDatabases()
      startAnew()
    },
    leaveUrl: baseUrl.pathname.endsWith('/demo/') ? new URL('..', baseUrl).href : undefined,
  }
  controls.setNetwork(tabState.network.get() ?? 'fine')
  const persona = tabState.persona.get() ?? 'guest'
  // Only the guest of a first visit sees no photo at first.
  if (requested || persona !== 'guest') begin()
  if (requested && requested !== persona) return device.switchPersona(requested)
  if (persona !== 'guest') await photoWorkerReady()
  await device.resume(persona)
  begin()
}

/** After a reset, in each tab: as on a first visit. */
function startAnew(): void {
  clearTabState()
  location.replace(baseUrl)
}

/**
 * Loads the server and the simulation beside the app. The city is built once `begin` is called: a slow phone draws
 * the first screen before.
 */
function loadCity(): { city: Promise<City>; begin: () => void } {
  const part = import('./start.ts')
  // Its worker stores every file of the demo: after those that the visitor waits for.
  void part.catch(() => {}).then(() => startUpdates({ busy: isBusy }))
  let begin = () => {}
  const drawn = new Promise<void>((resolve) => {
    begin = () => resolve()
  })
  const city = drawn.then(() => afterDrawing()).then(async () => (await part).startCity())
  return { city, begin: () => begin() }
}

/** Milliseconds after which the city is built though the page is still busy. */
const patience = 2_000

const afterDrawing = () =>
  new Promise<unknown>((resolve) =>
    'requestIdleCallback' in globalThis
      ? requestIdleCallback(resolve, { timeout: patience })
      : setTimeout(resolve, patience / 10),
  )

/** Returns the function that renders the app, with the demo around it, on one device after another. */
function renderer(element: HTMLElement, controls: () => DemoControls) {
  const root = createRoot(element)
  let renders = 0
  return (soma: Soma, key: PersonaKey) => {
    renders += 1
    // Synchronous: nothing on the screen may still read from a device that is about to be closed.
    flushSync(() =>
      root.render(
        <DemoContext value={controls()}>
          <LoginHelpContext value={AdminCredentials}>
            <HomeCardContext value={HomeCard}>
              <Frame soma={soma}>
                <App key={`${key} ${renders}`} soma={soma} />
              </Frame>
            </HomeCardContext>
          </LoginHelpContext>
        </DemoContext>,
      ),
    )
  }
}
