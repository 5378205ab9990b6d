import { lazy } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { baseUrl, storagePrefix } from '#app/browser/base-url.ts'
import { isBusy } from '#app/browser/reload-guard.ts'
import { startUpdates } from '#app/browser/update.ts'
import { landing, visitorOf } from '#app/paths.ts'
import { LoginHelpContext } from '#app/screens/auth/login-help.ts'
import { useToasts } from '#app/shell/toasts.ts'
import type { Soma } from '#sync/open.ts'
import { createWeather } from './backend/network-conditions.ts'
import { openDemoServer } from './backend/server.ts'
import { arrive, go, pinLinks, put, tabFor } from './devices/address.ts'
import { alone, moveIn, tearDown } from './devices/demo-databases.ts'
import { closePhone, handOver, openPhone } from './devices/devices.ts'
import { layOut } from './devices/fill-send-form.ts'
import { watchTexts } from './devices/inbox.ts'
import { photosServed, rescuePhotos } from './devices/photos.ts'
import { players } from './devices/players.ts'
import { kept } from './devices/tab-state.ts'
import { characters, demoPassword } from './simulation/accounts.ts'
import { startLife } from './simulation/run.ts'
import { type PlayerKey, type Stage, StageContext, useScene } from './ui/demo-context.ts'
import { Frame } from './ui/frame.tsx'
import { isTouring } from './ui/tour-state.ts'

const AdminCredentials = lazy(() => import('./ui/admin-credentials.tsx'))

const element = document.getElementById('root')
if (element) void open(element)

async function open(element: HTMLElement): Promise<void> {
  startUpdates({ busy: isBusy })
  pinLinks()
  const asked = arrive()
  await moveIn(() => location.reload())
  const server = await openDemoServer({ apart: storagePrefix, home: baseUrl.href, alone })
  rescuePhotos(server.box, `${baseUrl.href}photos/api/images/`)
  const weather = createWeather(server.fetch)
  const root = createRoot(element)
  let phone: Soma | undefined

  const become: Stage['become'] = async (key, path, parcel) => {
    if (useScene.getState().changing) return
    useScene.setState({ changing: true })
    try {
      const next = openPhone(key, weather)
      await handOver(next, key, { weather, server })
      if (parcel) await layOut(next, key, parcel)
      const user = (await next.db.sessions.get('current'))?.user
      put(path ?? landing[visitorOf(user)])
      useToasts.setState({ now: undefined, next: [] })
      await take(next, key)
    } finally {
      useScene.setState({ changing: false })
    }
  }

  /** Puts one phone aside and takes another in hand. */
  async function take(next: Soma, key: PlayerKey): Promise<void> {
    const before = phone
    phone = next
    void next.start()
    kept.playing.set(key)
    useScene.setState({ playing: key })
    // At once: nothing on the screen may still read from the one that is put aside.
    flushSync(() => show(next, key))
    if (before) await closePhone(before)
  }

  const stage: Stage = {
    ...{ players, become, go, tabFor },
    admin: { email: characters.admin.email, password: demoPassword },
    setSky(sky) {
      kept.sky.set(sky)
      weather.change(sky)
      useScene.setState({ sky })
    },
    async reset() {
      await endLife()
      if (phone) await closePhone(phone)
      await server.close()
      await tearDown()
      location.replace(baseUrl)
    },
    leaveTo: baseUrl.pathname.endsWith('/demo/') ? new URL('..', baseUrl).href : undefined,
  }

  let opened = 0
  const show = (soma: Soma, key: PlayerKey) => {
    opened += 1
    root.render(
      <StageContext value={stage}>
        <Frame soma={soma}>
          <LoginHelpContext value={AdminCredentials}>
            <App key={`${key} ${opened}`} soma={soma} />
          </LoginHelpContext>
        </Frame>
      </StageContext>,
    )
  }

  const endLife = startLife({
    gateways: server.gateways,
    visitorWaits: () => isWaiting(useScene.getState().playing) && !isTouring(),
    ...{ locks: navigator.locks, lockName: `${storagePrefix}life`, page: document },
  })
  watchTexts(server.box)
  stage.setSky(kept.sky.get() ?? 'fine')
  await photosServed()
  const known = kept.playing.get() ?? 'guest'
  if (asked && asked !== known) await become(asked)
  // After a reload the phone is as it was left, logged out too.
  else await take(openPhone(known, weather), known)
}

/** Whoever asked for a delivery waits for a driver; the others have hands of their own. */
const isWaiting = (key: PlayerKey) => key === 'guest' || key === 'sender'
