import { Refusal } from '#domain/errors.ts'
import type { Handlers } from '../../ports/handler.ts'

/** What a phone last reported, by its support code (R92). */
export const supportHandlers = (): Pick<Handlers, 'adminDevice'> => ({
  adminDevice:
    ({ id }) =>
    async (stores) => {
      const found = await stores.devices.get(id)
      if (!found) throw new Refusal('not-found')
      const { code, at, clientVersion, queueLength, userId } = found
      const owner = userId === undefined ? undefined : await stores.users.get(userId)
      const user = owner && { Name: owner.name, Email: owner.email }
      return { body: { device: { code, lastContactAt: at, clientVersion, queueLength, user } } }
    },
})
