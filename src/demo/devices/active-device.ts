import { landing, visitorOf } from '#app/paths.ts'
import { useToasts } from '#app/toasts.ts'
import type { Soma } from '#store/open.ts'
import type { SimulatedNetwork } from '../backend/network-conditions.ts'
import type { DemoServer } from '../backend/server.ts'
import type { PersonaKey } from '../simulation/personas.ts'
import { type DemoControls, useDemoState } from '../ui/demo-context.ts'
import { setPath } from './address.ts'
import { closeDevice, openDevice, signInAs } from './device.ts'
import { photoWorkerReady } from './photos.ts'
import { tabState } from './tab-state.ts'

type Options = {
  network: SimulatedNetwork
  server: Promise<DemoServer>
  /** Renders the app on this device; returns when the screen no longer reads from another one. */
  render: (device: Soma, key: PersonaKey) => void
}

/** The one device that this tab shows. */
export function activeDevice({ network, server, render }: Options) {
  let active: Soma | undefined
  /** How senders pay changes at once: a phone asks for that once an hour. */
  const refresh = () => active?.engine.refresh({ kind: 'config' })
  useDemoState.subscribe((now, before) => now.payments !== before.payments && refresh())

  const switchPersona: DemoControls['switchPersona'] = async (key, path, draft) => {
    if (useDemoState.getState().switching) return
    useDemoState.setState({ switching: true })
    try {
      const next = openDevice(key, network)
      await signInAs(next, key, { network, server: await server })
      await photoWorkerReady()
      if (draft) {
        const { fillSendForm } = await import('./fill-send-form.ts')
        await fillSendForm(next, key, draft)
      }
      const user = (await next.db.sessions.get('current'))?.user
      setPath(path ?? landing[visitorOf(user)])
      useToasts.setState({ now: undefined, next: [] })
      await show(next, key)
    } finally {
      useDemoState.setState({ switching: false })
    }
  }

  async function show(next: Soma, key: PersonaKey): Promise<void> {
    const before = active
    active = next
    void next.start().then(refresh)
    tabState.persona.set(key)
    useDemoState.setState({ persona: key })
    render(next, key)
    if (before) await closeDevice(before)
  }

  return {
    switchPersona,
    /** Shows a persona's device as they left it, without signing in. */
    resume: (key: PersonaKey) => show(openDevice(key, network), key),
    async close() {
      if (active) await closeDevice(active)
    },
  }
}
