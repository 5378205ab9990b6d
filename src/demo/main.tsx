import { lazy } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { baseUrl, storagePrefix } from '#app/browser/base-url.ts'
import { isBusy } from '#app/browser/reload-guard.ts'
import { startUpdates } from '#app/browser/update.ts'
import { LoginHelpContext } from '#app/screens/auth/login-help.ts'
import type { Soma } from '#sync/open.ts'
import { simulateNetwork } from './backend/network-conditions.ts'
import { type DemoServer, openDemoServer } from './backend/server.ts'
import { activeDevice } from './devices/active-device.ts'
import { makeLinksAbsolute, navigate, newTabUrl, readEntryUrl } from './devices/address.ts'
import { deleteDemoDatabases, openDemoDatabases, withBuildLock } from './devices/demo-databases.ts'
import { personaOptions } from './devices/persona-options.ts'
import { photoWorkerReady, showPhotosWithoutWorker } from './devices/photos.ts'
import { tabState } from './devices/tab-state.ts'
import { watchTexts } from './devices/watch-texts.ts'
import { demoPassword, type PersonaKey, personas } from './simulation/personas.ts'
import { startSimulation } from './simulation/run.ts'
import { DemoContext, type DemoControls, useDemoState } from './ui/demo-context.ts'
import { Frame } from './ui/frame.tsx'
import { isTouring } from './ui/tour/state.ts'

const AdminCredentials = lazy(() => import('./ui/admin-credentials.tsx'))

const element = document.getElementById('root')
if (element) void open(element)

async function open(element: HTMLElement): Promise<void> {
  startUpdates({ busy: isBusy })
  makeLinksAbsolute()
  const requested = readEntryUrl()
  await openDemoDatabases(() => location.reload())
  const server = await openDemoServer({ storagePrefix, home: baseUrl.href, withBuildLock })
  showPhotosWithoutWorker(server.demoDb, `${baseUrl.href}photos/api/images/`)
  const network = simulateNetwork(server.fetch)
  const device = activeDevice({
    network,
    server,
    render: renderer(element, () => controls),
  })
  const stopSimulation = simulate(server)
  const controls: DemoControls = {
    personas: personaOptions,
    switchPersona: device.switchPersona,
    go: navigate,
    newTabUrl,
    admin: { email: personas.admin.email, password: demoPassword },
    setNetwork(condition) {
      tabState.network.set(condition)
      network.setCondition(condition)
      useDemoState.setState({ network: condition })
    },
    async reset() {
      await stopSimulation()
      await device.close()
      await server.close()
      await deleteDemoDatabases()
      location.replace(baseUrl)
    },
    leaveUrl: baseUrl.pathname.endsWith('/demo/') ? new URL('..', baseUrl).href : undefined,
  }
  watchTexts(server.demoDb)
  controls.setNetwork(tabState.network.get() ?? 'fine')
  await photoWorkerReady()
  const persona = tabState.persona.get() ?? 'guest'
  if (requested && requested !== persona) await device.switchPersona(requested)
  else await device.resume(persona)
}

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
            <Frame soma={soma}>
              <App key={`${key} ${renders}`} soma={soma} />
            </Frame>
          </LoginHelpContext>
        </DemoContext>,
      ),
    )
  }
}

/** Starts the simulation, in one tab of the demo at a time. Returns the function that stops it. */
const simulate = ({ ports }: DemoServer) =>
  startSimulation({
    ports,
    visitorWaits: () => waitsForDriver(useDemoState.getState().persona) && !isTouring(),
    locks: navigator.locks,
    // Named as in earlier versions, so that tabs of both take turns.
    lockName: `${storagePrefix}life`,
    page: document,
  })

const waitsForDriver = (key: PersonaKey) => key === 'guest' || key === 'sender'
