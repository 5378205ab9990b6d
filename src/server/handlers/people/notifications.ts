import { Refusal } from '#domain/errors.ts'
import {
  changed,
  kindsFor,
  maxNotifiedRoutes,
  NotificationKind,
} from '#domain/notifications/kinds.ts'
import { type Handlers, requireActor, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'

type NotificationHandlers = Pick<
  Handlers,
  'subscribe' | 'unsubscribe' | 'confirmNotification' | 'changeNotifications'
>

/** Who is told with the app closed, and of what (R117, R119, R121). */
export function notificationHandlers({ push, secrets }: Ports): NotificationHandlers {
  return {
    subscribe:
      ({ input: { endpoint, keys }, session, guest, at }) =>
      async (stores, actor) => {
        requireActor(actor)
        const owner = session ? { session } : guest ? { guest } : undefined
        if (!owner) throw new Refusal('no-session')
        if (!push || !stores.notifications) throw new Refusal('not-found')
        if (!push.accepts(endpoint))
          throw new Refusal('invalid', 'Notifications cannot be sent to this browser.')
        const id = secrets.id()
        await stores.notifications.subscribe({ id, endpoint, ...keys, owner }, at)
        return { body: { message: 'Notifications are on.' } }
      },

    unsubscribe:
      ({ session, guest }) =>
      async (stores) => {
        const owner = session ? { session } : guest ? { guest } : undefined
        if (owner) await stores.notifications?.unsubscribe(owner)
        return { body: { message: 'Notifications are off.' } }
      },

    // The ID is known to the browser that got the message alone.
    confirmNotification:
      ({ input: { id } }) =>
      async (stores) => {
        if (!(await stores.notifications?.remove(id))) throw new Refusal('not-found')
        return { body: { message: 'Confirmed.' } }
      },

    changeNotifications:
      ({ input }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const known = kindsFor(user.role)
        for (const kind of Object.keys(input.kinds ?? {}))
          if (!known.some((each) => each === kind))
            throw new Refusal('invalid', `There is no notification ${kind.slice(0, 40)}.`)
        if (input.routes && user.role !== 'driver') throw new Refusal('not-a-driver')
        if ((input.routes?.length ?? 0) > maxNotifiedRoutes)
          throw new Refusal('invalid', `Choose at most ${maxNotifiedRoutes} routes.`)
        for (const zone of input.routes?.flatMap(({ from, to }) => [from, to]) ?? [])
          if (zone !== '*' && !(await stores.zones.nameOf(zone))) throw new Refusal('unknown-zone')
        const { off = [], ...settings } = changed(user.notifications ?? {}, input)
        const notifications = { ...settings, off: off.filter((kind) => isKnown(kind)) }
        await stores.users.change(user.ID, { notifications })
        await stores.publish({ about: 'me', to: [user.ID] })
        const after = await stores.users.get(user.ID)
        if (!after) throw new Refusal('no-session')
        return { body: { user: after } }
      },
  }
}

const isKnown = (kind: string) => NotificationKind.options.some((each) => each === kind)
