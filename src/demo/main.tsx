import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { apart, home } from '#app/browser/base-url.ts'
import { isBusy } from '#app/browser/reload-guard.ts'
import { startUpdates } from '#app/browser/update.ts'
import { landing, visitorOf } from '#app/paths.ts'
import { useToasts } from '#app/shell/toasts.ts'
import type { Soma } from '#sync/open.ts'
import { simulateNetwork } from './backend/network-conditions.ts'
import { openDemoServer } from './backend/server.ts'
import { makeLinksAbsolute, navigate, newTabUrl, readEntryUrl, setPath } from './devices/address.ts'
import { deleteDemoDatabases, openDemoDatabases, withBuildLock } from './devices/demo-databases.ts'
import { closeDevice, openDevice, signInAs } from './devices/devices.ts'
import { fillSendForm } from './devices/fill-send-form.ts'
import { personaOptions } from './devices/persona-options.ts'
import { photoWorkerReady, showPhotosWithoutWorker } from './devices/photos.ts'
import { tabState } from './devices/tab-state.ts'
import { watchTexts } from './devices/watch-texts.ts'
import { demoPassword, personas } from './simulation/personas.ts'
import { startSimulation } from './simulation/run.ts'
import { DemoContext, type DemoControls, type PlayerKey, useDemoState } from './ui/demo-context.ts'
import { Frame } from './ui/frame.tsx'
import { isTouring } from './ui/tour/state.ts'

const element = document.getElementById('root')
if (element) void open(element)

async function open(element: HTMLElement): Promise<void> {
  startUpdates({ busy: isBusy })
  makeLinksAbsolute()
  const asked = readEntryUrl()
  await openDemoDatabases(() => location.reload())
  const server = await openDemoServer({ apart, home: home.href, alone: withBuildLock })
  showPhotosWithoutWorker(server.box, `${home.href}photos/api/images/`)
  const weather = simulateNetwork(server.fetch)
  const root = createRoot(element)
  let phone: Soma | undefined

  const become: DemoControls['switchPersona'] = async (key, path, parcel) => {
    if (useDemoState.getState().switching) return
    useDemoState.setState({ switching: true })
    try {
      const next = openDevice(key, weather)
      await signInAs(next, key, { weather, server })
      if (parcel) await fillSendForm(next, key, parcel)
      const user = (await next.db.sessions.get('current'))?.user
      setPath(path ?? landing[visitorOf(user)])
      useToasts.setState({ now: undefined, next: [] })
      await take(next, key)
    } finally {
      useDemoState.setState({ switching: false })
    }
  }

  /** Puts one phone aside and takes another in hand. */
  async function take(next: Soma, key: PlayerKey): Promise<void> {
    const before = phone
    phone = next
    void next.start()
    tabState.persona.set(key)
    useDemoState.setState({ persona: key })
    // At once: nothing on the screen may still read from the one that is put aside.
    flushSync(() => show(next, key))
    if (before) await closeDevice(before)
  }

  const stage: DemoControls = {
    ...{ personas: personaOptions, switchPersona: become, go: navigate, newTabUrl: newTabUrl },
    admin: { email: personas.admin.email, password: demoPassword },
    setNetwork(sky) {
      tabState.sky.set(sky)
      weather.setCondition(sky)
      useDemoState.setState({ network: sky })
    },
    async reset() {
      await endLife()
      if (phone) await closeDevice(phone)
      await server.close()
      await deleteDemoDatabases()
      location.replace(home)
    },
    leaveUrl: home.pathname.endsWith('/demo/') ? new URL('..', home).href : undefined,
  }

  let opened = 0
  const show = (soma: Soma, key: PlayerKey) => {
    opened += 1
    root.render(
      <DemoContext value={stage}>
        <Frame soma={soma}>
          <App key={`${key} ${opened}`} soma={soma} />
        </Frame>
      </DemoContext>,
    )
  }

  const endLife = startSimulation({
    gateways: server.gateways,
    visitorWaits: () => isWaiting(useDemoState.getState().persona) && !isTouring(),
    ...{ locks: navigator.locks, lockName: `${apart}life`, page: document },
  })
  watchTexts(server.box)
  stage.setNetwork(tabState.sky.get() ?? 'fine')
  await photoWorkerReady()
  const known = tabState.persona.get() ?? 'guest'
  if (asked && asked !== known) await become(asked)
  // After a reload the phone is as it was left, logged out too.
  else await take(openDevice(known, weather), known)
}

/** Whoever asked for a delivery waits for a driver; the others have hands of their own. */
const isWaiting = (key: PlayerKey) => key === 'guest' || key === 'sender'
