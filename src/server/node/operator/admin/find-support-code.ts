import { readSupportCode, shownSupportCode } from '#domain/support-code.ts'
import { StartupError } from '../../../startup-error.ts'
import type { Task } from './task.ts'

/** What the admin's support page shows (R92). */
export const findSupportCode: Task = {
  args: ['<code>'],
  about: 'says what the phone with this support code last reported',
  async run({ repo }, text = '') {
    const code = readSupportCode(text.trim())
    if (!code) throw new StartupError('A support code is 8 letters and digits, such as K7QX-2MPD.')
    const found = await repo.read(async (stores) => {
      const device = await stores.devices.get(code)
      const owner = device?.userId ? await stores.users.get(device.userId) : undefined
      return device && { device, owner }
    })
    if (!found) throw new StartupError(`No phone has reported the code ${shownSupportCode(code)}.`)
    const { device, owner } = found
    return {
      lines: [
        `code: ${shownSupportCode(device.code)}`,
        `last heard of: ${device.at}`,
        `unsent entries: ${device.queueLength}`,
        `version: ${device.clientVersion ?? 'unknown'}`,
        `last logged in: ${owner ? `${owner.name} <${owner.email}>` : 'nobody'}`,
      ],
    }
  },
}
