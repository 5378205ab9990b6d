import { guestToHear } from '#store/model/guest-subscriptions.ts'
import type { Phone } from '../devices/phone.ts'
import type { Simulation } from '../scenario/simulation.ts'
import { runStep } from '../scenario/steps/run-step.ts'
import { scrollShortLists } from '../scenario/steps/scroll.ts'
import { checkPeople } from './views.ts'

/** Longer than a tab waits before it tries again to become the leader. */
const listensWithin = 12_000
/** Longer than any list's poll interval: only lists with events may go without a poll for so long. */
const unasked = 31_000
/** The delay of an event, and the second that a list waits between two polls. */
const toldWithin = 3_000

/**
 * Checks S21, S22 and S23 after the last step, on a good network: one tab of each visible phone reads the
 * event stream of the logged-in account; it does not poll lists with events, and other users' changes
 * appear without a poll.
 */
export async function checkEvents(simulation: Simulation): Promise<void> {
  for (const phone of simulation.phones) {
    const tab = phone.tab()
    tab.visible = true
    tab.comeBack()
  }
  await simulation.time.pass(listensWithin)
  for (const phone of simulation.phones) await checkListens(simulation, phone)
  for (const phone of simulation.phones) phone.requestOracle.passed.length = 0
  await simulation.time.pass(unasked)
  for (const phone of simulation.phones) checkDoesNotPoll(simulation, phone)
  for (const pick of [0, 5, 20]) {
    await runStep(simulation, { do: 'elsewhere', pick })
    await simulation.settle()
  }
  await simulation.time.pass(toldWithin)
  await scrollShortLists(simulation)
  const before = simulation.faults.length
  await checkPeople(simulation)
  for (const fault of simulation.faults.slice(before))
    fault.what = `News was not heard (${fault.rule}): ${fault.what}`
  for (const fault of simulation.faults.slice(before)) fault.rule = 'S21'
}

async function checkListens(simulation: Simulation, phone: Phone) {
  const session = await simulation.time.whileBusy(() => phone.session())
  const listeners = phone.listeners()
  const most = phone.hasLocks ? 1 : Number.POSITIVE_INFINITY
  if (!session || session.expired) {
    const guest = await simulation.time.whileBusy(() => guestToHear(phone.observer(), []))
    const ofGuest = listeners.filter((each) => each?.startsWith('guest of '))
    if (listeners.length > (guest ? most : 0) || ofGuest.length < listeners.length)
      simulation.reportFault('S22', `${phone.name} listens for ${listeners.join() || 'nobody'}`)
  } else if (listeners.length === 0 || listeners.length > most)
    simulation.reportFault('S22', `${phone.name} has ${listeners.length} streams`)
  else if (listeners.some((each) => each !== session.account))
    simulation.reportFault('S22', `${phone.name} listens for somebody else`)
}

/** Requests for which there are no events: guests' deliveries and the upload configuration. */
function checkDoesNotPoll(simulation: Simulation, phone: Phone) {
  const asked = phone.requestOracle.passed
    .filter(({ method, path }) => method === 'GET' && !/^\/(deliveries\/|config$)/.test(path))
    .map(({ path }) => path)
  if (asked.length > 0)
    simulation.reportFault('S21', `${phone.name} asks for ${asked} with a stream open`)
}
