import { openCaller } from './caller.ts'
import { driver } from './driver.ts'
import { guest } from './guest.ts'
import type { Journal } from './journal.ts'
import type { Person } from './people.ts'
import { follow, openPhone, type Phone } from './phone.ts'

/** Fifty clients: guests, drivers, and admins who watch every delivery. */
export const crowd = { guests: 24, drivers: 16, admins: 10 }

export type Crowd = {
  phones: { list: 'availableDeliveries' | 'adminDeliveries'; token: string; phone: Phone }[]
  /** Lets each client finish the call it is in, however often it must be sent, and ends. */
  end(): Promise<void>
}

export function startCrowd(
  origin: string,
  journal: Journal,
  { drivers, admins }: { drivers: Person[]; admins: Person[] },
): Crowd {
  let isEnding = false
  const isOver = () => isEnding
  const working: Promise<void>[] = []
  let count = 0
  const newCaller = () => openCaller(origin, journal, ++count)
  const phones: Crowd['phones'] = []
  for (let n = 0; n < crowd.guests; n++)
    working.push(guest(n, origin, newCaller(), journal, isOver))
  for (const person of drivers) {
    const caller = newCaller()
    const phone = openPhone('availableDeliveries', person.token, caller)
    phones.push({ list: 'availableDeliveries', token: person.token, phone })
    working.push(driver(person, phone, caller, journal, isOver))
  }
  for (const { token } of admins) {
    const phone = openPhone('adminDeliveries', token, newCaller())
    phones.push({ list: 'adminDeliveries', token, phone })
    working.push(follow(origin, token, phone, journal, isOver))
  }
  return {
    phones,
    async end() {
      isEnding = true
      await Promise.all(working)
    },
  }
}
