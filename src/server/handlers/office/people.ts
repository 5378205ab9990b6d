import { Refusal } from '#domain/errors.ts'
import { type Handlers, requireUser, type Work } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import { lift, suspend } from '../../rules/accounts/suspensions.ts'

/** What admins do about a person: suspensions (R198) and notes (R202). */
export function peopleHandlers({ secrets }: Ports): Pick<Handlers, 'suspendUser' | 'addNote'> {
  return {
    suspendUser: ({ id, input: { suspended, reason, until: end }, at }) => {
      const until = end && new Date(end).toISOString()
      if (until && until <= at) throw new Refusal('invalid', 'The end must be in the future.')
      const work: Work<'suspendUser'> = async (stores, actor) => {
        if (requireUser(actor).ID === id) throw new Refusal('yourself')
        const user = await stores.users.get(id)
        if (!user) throw new Refusal('not-found')
        if (!suspended && !user.suspended)
          throw new Refusal('wrong-status', 'This account is not suspended.')
        if (suspended) await suspend(stores, secrets, user, { reason, at, until })
        else await lift(stores, secrets, user, at)
        const done = suspended ? 'was suspended' : 'is no longer suspended'
        const Message = `${user.name} ${done}: ${reason}`
        await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
        await stores.publish({ about: 'users', id, to: [], admins: true })
        const changed = await stores.users.get(id)
        if (!changed) throw new Refusal('not-found')
        const subject = `${id}: ${suspended ? 'suspended' : 'lifted'}, ${reason}`
        return { body: { user: changed }, subject }
      }
      // Both admins first, so that two who suspend each other never wait for each other.
      return Object.assign(work, { alsoLocks: [id] })
    },

    addNote:
      ({ id, key, input: { text }, at }) =>
      async (stores, actor) => {
        if (!(await stores.users.get(id))) throw new Refusal('not-found')
        const note = { ID: key ?? secrets.id(), text, by: requireUser(actor).name, at }
        await stores.userNotes.add({ ...note, userId: id })
        await stores.publish({ about: 'users', id, to: [], admins: true })
        return { body: { note } }
      },
  }
}
