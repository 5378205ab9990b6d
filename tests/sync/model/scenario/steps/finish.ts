import { can } from '#operations/rules.ts'
import { jpeg } from '../../../../helpers/device/device.ts'
import type { Phone } from '../../devices/phone.ts'
import { reportIssueElsewhere } from '../../oracles/decisions.ts'
import type { Role } from '../seed-data.ts'
import type { Simulation } from '../simulation.ts'
import { actElsewhere, carryOn, requestElsewhere } from './other-device.ts'

/**
 * Performs the last action on a delivery or a dispute, which random steps seldom reach: other users bring
 * it to that state, the person looks, and performs it if the phone offers it. `pick` chooses among them.
 */
export async function finish(simulation: Simulation, phone: Phone, pick: number): Promise<void> {
  const session = await simulation.time.whileBusy(() => phone.session())
  const names = Object.keys(simulation.server.residents) as Role[]
  const who = names.find((name) => simulation.server.residents[name].user.ID === session?.account)
  if (!session || !who || session.expired) return
  if (who === 'admin') return settleDisputes(simulation, phone)
  if (session.user.role === 'sender') return endAsSender(simulation, phone, who, pick % 5)
  if (pick % 2 === 0) return handOver(simulation, phone, who)
  await (pick % 10 === 7 ? sayUnpaid(simulation, phone, who) : attachProof(simulation, phone, who))
}

async function settleDisputes(simulation: Simulation, phone: Phone) {
  for (const _ of ['one', 'another']) await reportIssueElsewhere(simulation)
  await look(simulation, phone)
  const { db, commands } = phone.tab().soma
  await simulation.perform(async () => {
    const open = (await db.disputes.toArray()).filter(({ status }) => status !== 'resolved')
    for (const { ID } of open) await commands.resolveDispute(ID, simulation.uniqueName())
  })
}

/** Contests the pick-up, or approves, with a tip or without. */
async function endAsSender(simulation: Simulation, phone: Phone, who: Role, pick: number) {
  const { user } = simulation.server.residents[who]
  const hers = async () =>
    (await simulation.deliveries()).find(
      ({ sender, status }) =>
        sender?.id === user.ID && status !== 'Approved' && status !== 'Cancelled',
    )
  if (!(await hers())) await requestElsewhere(simulation, who)
  const delivery = await hers()
  const contests = pick === 1
  if (delivery) await carryOn(simulation, delivery, contests ? 'Picked Up' : 'Delivered')
  await look(simulation, phone)
  const { commands } = phone.tab().soma
  await simulation.perform(async () => {
    if (!delivery) return
    if (contests) await commands.contestPickUp(delivery.ID, simulation.uniqueName())
    else await commands.approveDelivery(delivery.ID, pick === 2 ? { tip: 2.5 } : {})
  })
}

async function handOver(simulation: Simulation, phone: Phone, who: Role) {
  const job = await jobOf(simulation, who)
  await look(simulation, phone)
  const { commands } = phone.tab().soma
  await simulation.perform(async () => {
    if (job?.status === 'Accepted') await commands.pickUpDelivery(job.ID)
    if (job) await commands.completeDelivery(job.ID, `${job.deliveryCode}`)
  })
}

async function attachProof(simulation: Simulation, phone: Phone, who: Role) {
  const job = await jobOf(simulation, who)
  for (const action of ['pickUpDelivery', 'completeDelivery'] as const)
    if (job) await actElsewhere(simulation, action, job, simulation.server.tokens[who])
  await look(simulation, phone)
  const { commands } = phone.tab().soma
  await simulation.perform(
    async () => job && commands.attachProof(job.ID, await commands.savePhoto(jpeg, 'image/jpeg')),
  )
}

/** The job is handed over and approved elsewhere, and its driver says that they were not paid (R171). */
async function sayUnpaid(simulation: Simulation, phone: Phone, who: Role) {
  const { residents, tokens } = simulation.server
  const job = await jobOf(simulation, who)
  const sender = (['ama', 'kofi'] as const).find(
    (name) => residents[name].user.ID === job?.sender?.id,
  )
  for (const action of ['pickUpDelivery', 'completeDelivery'] as const)
    if (job) await actElsewhere(simulation, action, job, tokens[who])
  if (job && sender) await actElsewhere(simulation, 'approveDelivery', job, tokens[sender])
  await look(simulation, phone)
  const { commands } = phone.tab().soma
  await simulation.perform(async () => job && commands.reportUnpaid(job.ID))
}

/** The driver's active job, or one they accept on another device when they have none. */
async function jobOf(simulation: Simulation, who: Role) {
  const { user } = simulation.server.residents[who]
  const theirs = async () =>
    (await simulation.deliveries()).find(
      ({ driver, status }) =>
        driver?.id === user.ID && (status === 'Accepted' || status === 'Picked Up'),
    )
  const known = await theirs()
  if (known) return known
  const free = (await simulation.deliveries()).find((each) => can({ user }, 'acceptDelivery', each))
  if (free) await actElsewhere(simulation, 'acceptDelivery', free, simulation.server.tokens[who])
  return theirs()
}

async function look(simulation: Simulation, phone: Phone) {
  const tab = phone.tab()
  tab.visible = true
  tab.comeBack()
  await simulation.settle()
}
