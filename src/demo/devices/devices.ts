import { storagePrefix } from '#app/browser/base-url.ts'
import { openSoma, type Soma } from '#sync/open.ts'
import { pageEnvironment } from '#sync/platform/environment.ts'
import type { Weather } from '../backend/network-conditions.ts'
import { type DemoServer, nowhere } from '../backend/server.ts'
import { characters, demoPassword } from '../simulation/accounts.ts'
import type { PlayerKey } from '../ui/demo-context.ts'

/** Each character has a phone of their own: a store, and what still waits in its outbox. */
export function openPhone(key: PlayerKey, weather: Weather): Soma {
  return openSoma({
    base: `${nowhere}/api`,
    dbName: `${storagePrefix}phone:${key}`,
    cachePrefix: storagePrefix,
    transport: weather.transport,
    environment: {
      ...pageEnvironment,
      onResume: (work) => both(pageEnvironment.onResume(work), weather.onBack(work)),
      onLost: (work) => both(pageEnvironment.onLost?.(work), weather.onLost(work)),
      isOffline: () => weather.sky() === 'off',
      // The server lives in the page: no worker could reach it.
      wakeWorker: () => {},
    },
  })
}

/** Undoes one and the other. */
const both = (one: (() => void) | undefined, other: () => void) => () => {
  one?.()
  other()
}

export async function closePhone({ engine, db }: Soma): Promise<void> {
  await engine.stop()
  db.close()
}

/** Makes the phone its owner's: logs them in by the real call, or out when the guest is to have it. */
export async function handOver(
  phone: Soma,
  key: PlayerKey,
  { weather, server }: { weather: Weather; server: DemoServer },
): Promise<void> {
  await phone.db.open()
  const session = await phone.db.sessions.get('current')
  const { email, id } = { email: undefined, id: undefined, ...characters[key] }
  if (session && !session.expired && session.account === id) return
  await weather.calmly(async () => {
    if (session && session.account !== id) await phone.session.logout('keep')
    if (email === undefined || id === undefined) return
    const login = () => phone.session.login(email, demoPassword)
    await login().catch(async () => {
      await server.restorePassword(id)
      await login()
    })
  })
}
