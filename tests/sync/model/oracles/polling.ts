import type { NetworkFault } from '../devices/network/faults.ts'
import type { Simulation } from '../scenario/simulation.ts'
import { doSomethingElsewhere } from '../scenario/steps/other-device.ts'
import { checkPeople } from './views.ts'

/** The longest interval of a list of deliveries, a driver's status or a person (S24), and time to answer. */
const interval = 30_000
const margin = 6_000
/** One scenario in so many is looked at for an interval; in one of so many of those a list fails. */
const lookEvery = 6
const failEvery = 3

const failures: NetworkFault[] = [
  { fate: 'portal', times: 1, only: 'asks', path: '/zones', seconds: 120 },
  { fate: 'request lost', times: 1, only: 'asks', path: '/items', seconds: 120 },
  { fate: 'torn', times: 1, only: 'asks', path: '/config', seconds: 120 },
  { fate: '500', times: 1, only: 'asks', path: '/zones', seconds: 120 },
]

/**
 * S24: while a person looks, what others do is shown within the interval of its list, without anything
 * that hurries the phone; also while another list fails. `asked`: which of the failures, in any case.
 */
export async function checkPolling(simulation: Simulation, asked?: number): Promise<void> {
  const chosen = simulation.randomNumber()
  if (chosen % lookEvery > 0 && asked === undefined) return
  const fails = (chosen / lookEvery) % failEvery < 1
  const fault = fails || asked !== undefined ? failures[asked ?? chosen % 4] : undefined
  for (const phone of simulation.phones) {
    if (fault) phone.network.addFault(fault)
    const tab = phone.tab()
    tab.visible = true
    tab.comeBack()
  }
  await simulation.time.pass(interval)
  await doSomethingElsewhere(simulation, chosen % 7)
  await simulation.settle()
  await simulation.time.pass(interval + margin)
  const before = simulation.faults.length
  await checkPeople(simulation)
  for (const each of simulation.faults.slice(before)) {
    each.what = `Not shown within its interval${fault ? ` while ${fault.path} fails` : ''} (${each.rule}): ${each.what}`
    each.rule = 'S24'
  }
}
