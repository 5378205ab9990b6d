import { storagePrefix } from '#app/browser/base-url.ts'
import { openSoma, type Soma } from '#store/open.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { pageEnvironment } from '#sync/platform/page-environment.ts'
import type { SimulatedNetwork } from '../backend/network-conditions.ts'
import type { DemoServer } from '../backend/server.ts'
import { serverOrigin } from '../backend/server-origin.ts'
import { demoPassword, type PersonaKey, personas } from '../simulation/personas.ts'
import { isTouring } from '../ui/tour/state.ts'

/** Opens a persona's own device: its database, with what still waits in its outbox. */
export function openDevice(key: PersonaKey, network: SimulatedNetwork): Soma {
  const soma = openSoma({
    base: `${serverOrigin}/api`,
    dbName: `${storagePrefix}phone:${key}`,
    cachePrefix: storagePrefix,
    transport: network.transport,
    environment: {
      ...pageEnvironment,
      onResume: (work) => both(pageEnvironment.onResume(work), network.onResume(work)),
      onLost: (work) => both(pageEnvironment.onLost?.(work), network.onLost(work)),
      isOffline: () => network.condition() === 'off',
      // The server runs in the page, where a service worker cannot reach it.
      wakeWorker: () => {},
    },
  })
  const { hold } = soma.waits
  // What could be undone for ten seconds (R99) leaves at once: a tour waits for nothing.
  soma.waits.hold = (id, wait) => hold(id, isTouring() ? 0 : wait)
  return soma
}

/** Ends both subscriptions. */
const both = (first: (() => void) | undefined, second: () => void) => () => {
  first?.()
  second()
}

export async function closeDevice({ engine, db }: Soma): Promise<void> {
  await engine.stop()
  db.close()
}

/**
 * Signs the persona in on their device by the real login call, or signs out for the guest. Does
 * nothing when they are signed in. Throws what the login throws.
 */
export async function signInAs(
  device: Soma,
  key: PersonaKey,
  { network, server }: { network: SimulatedNetwork; server: DemoServer },
): Promise<void> {
  await device.db.open()
  const session = await device.db.sessions.get('current')
  const { email, id } = { email: undefined, id: undefined, ...personas[key] }
  if (session && !session.expired && session.account === id) return
  await network.bypass(async () => {
    if (session && session.account !== id) await device.session.logout('keep')
    if (email === undefined || id === undefined) return
    const login = () => device.session.login(email, demoPassword)
    await login().catch(async (error) => {
      // The visitor may have changed the password.
      note('demo login failed; restoring the password', { error })
      await server.restorePassword(id)
      await login()
    })
  })
}
