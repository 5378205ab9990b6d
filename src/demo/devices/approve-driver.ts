import { type CallInput, call } from '#contract/calls/call.ts'
import type { Op } from '#contract/endpoints.ts'
import type { DemoServer } from '../backend/server.ts'
import { serverOrigin } from '../backend/server-origin.ts'
import { demoPassword, personas } from '../simulation/personas.ts'

/** Approves the pending driver (R4) as the admin, by the real calls. */
export async function approveDriver(server: DemoServer): Promise<void> {
  const { admin, pending } = personas
  const ask = <O extends Op>(op: O, input: CallInput): ReturnType<typeof call<O>> =>
    call(async (request) => server.fetch(request), `${serverOrigin}/api`, op, input)
  // The visitor may have changed the password.
  await server.restorePassword(admin.id)
  const body = { email: admin.email, password: demoPassword }
  const token = (await ask('login', { body })).value?.token
  await ask('reviewDriver', { token, id: pending.id, body: { status: 'approved' } })
  await ask('logout', { token })
}
