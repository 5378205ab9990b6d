import { Refusal } from '#domain/errors.ts'
import { assertCommutes, routesOf } from '#domain/users/commutes.ts'
import { type Handlers, requireUser } from '../../ports/handler.ts'

/** A driver's commutes (R166). */
export const commuteHandlers = (): Pick<Handlers, 'changeCommutes'> => ({
  changeCommutes:
    ({ input: { commutes } }) =>
    async (stores, actor) => {
      const user = requireUser(actor)
      const zones = (await stores.zones.list()).map(({ Name }) => Name)
      assertCommutes(commutes, zones, user.commutes)
      // Processes and phones of the version before read the routes.
      const notifications = { ...user.notifications, routes: routesOf(commutes) }
      await stores.users.change(user.ID, { commutes, notifications })
      await stores.publish({ about: 'me', to: [user.ID] })
      const changed = await stores.users.get(user.ID)
      if (!changed) throw new Refusal('no-session')
      return { body: { user: changed } }
    },
})
