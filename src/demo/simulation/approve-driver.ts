import type { Ports } from '#server/ports/ports.ts'
import { openServer, signedIn } from './city.ts'
import { personas } from './personas.ts'

/** Approves a driver (R4) as the demo's admin, by the real call. `id`: the driver's. */
export async function approveDriver(ports: Ports, id: string): Promise<void> {
  const { server, ask } = openServer(ports)
  try {
    const { token } = await signedIn(ports, personas.admin.id)
    await ask('reviewDriver', { token, id, body: { status: 'approved' } })
    await ask('logout', { token })
  } finally {
    await server.close()
  }
}
