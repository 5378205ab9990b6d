import { Refusal } from '#domain/errors.ts'
import { assertCommutes, routesOf } from '#domain/users/commutes.ts'
import { currentName } from '#domain/zones/zone.ts'
import { type Handlers, requireUser } from '../../ports/handler.ts'

/** A driver's commutes (R166). */
export const commuteHandlers = (): Pick<Handlers, 'changeCommutes'> => ({
  changeCommutes:
    ({ input }) =>
    async (stores, actor) => {
      const user = requireUser(actor)
      const zones = await stores.zones.list()
      const now = (name: string) => currentName(zones, name) ?? name
      // A phone that has been offline may name a zone as it was called then (R206).
      const commutes = input.commutes.map((each) => ({
        ...each,
        from: now(each.from),
        to: now(each.to),
      }))
      const names = zones.map(({ Name }) => Name)
      assertCommutes(commutes, names, user.commutes)
      // Processes and phones of the version before read the routes.
      const notifications = { ...user.notifications, routes: routesOf(commutes) }
      await stores.users.change(user.ID, { commutes, notifications })
      await stores.publish({ about: 'me', to: [user.ID] })
      const changed = await stores.users.get(user.ID)
      if (!changed) throw new Refusal('no-session')
      return { body: { user: changed } }
    },
})
