import { isPhone } from '#domain/users/phone.ts'
import { releasePhone } from '../../../rules/accounts/lost-phone.ts'
import { StartupError } from '../../../startup-error.ts'
import { auditOperator } from './audit-operator.ts'
import type { Task } from './task.ts'

export const releasePhoneTask = {
  args: ['<ten digits>'],
  about: 'takes the number from the account that has confirmed it, for its new owner (R145)',
  async run({ repo }, phone = '') {
    if (!isPhone(phone))
      throw new StartupError('A phone number has ten digits, such as 0244123456.')
    const email = await repo.transaction(async (stores) => {
      const found = await stores.users.byVerifiedPhone(phone)
      const holder = found && (await stores.users.lock(found.ID))
      if (holder?.phone_number !== phone) return undefined
      await releasePhone(stores, holder, new Date().toISOString())
      await auditOperator(stores, 'releasePhone', holder.ID)
      return holder.email
    })
    if (email === undefined) throw new StartupError(`No account has confirmed the number ${phone}.`)
    return { lines: [`${email} no longer has the number ${phone}. Their deliveries stay.`] }
  },
} satisfies Task
