import { can } from '#domain/deliveries/permissions.ts'
import { jpeg } from '../../../helpers/device/device.ts'
import type { Phone } from '../devices/phone.ts'
import { reportIssueElsewhere } from '../oracles/decisions.ts'
import { actElsewhere, carryOn, requestElsewhere } from './other-device.ts'
import type { Role } from './seed-data.ts'
import type { Simulation } from './settings.ts'

/**
 * The last thing anybody does about a delivery or a dispute, which seldom comes of itself: others bring it
 * so far, the person looks, and does it if it is shown. `pick`: which, where there are two.
 */
export async function finish(world: Simulation, phone: Phone, pick: number): Promise<void> {
  const session = await world.time.whileBusy(() => phone.session())
  const names = Object.keys(world.server.residents) as Role[]
  const who = names.find((name) => world.server.residents[name].user.ID === session?.account)
  if (!session || !who || session.expired) return
  if (who === 'admin') return settleDisputes(world, phone)
  if (session.user.role === 'sender') return approve(world, phone, who)
  await (pick % 2 === 0 ? handOver(world, phone, who) : attachProof(world, phone, who))
}

async function settleDisputes(world: Simulation, phone: Phone) {
  for (const _ of ['one', 'another']) await reportIssueElsewhere(world)
  await look(world, phone)
  const { db, commands } = phone.tab().soma
  await world.perform(async () => {
    const open = (await db.disputes.toArray()).filter(({ status }) => status !== 'resolved')
    for (const { ID } of open) await commands.resolveDispute(ID, world.uniqueName())
  })
}

async function approve(world: Simulation, phone: Phone, who: Role) {
  const { user } = world.server.residents[who]
  const hers = async () =>
    (await world.deliveries()).find(
      ({ sender, status }) =>
        sender?.id === user.ID && status !== 'Approved' && status !== 'Cancelled',
    )
  if (!(await hers())) await requestElsewhere(world, who)
  const delivery = await hers()
  if (delivery) await carryOn(world, delivery, 'Delivered')
  await look(world, phone)
  const { commands } = phone.tab().soma
  await world.perform(async () => delivery && commands.approveDelivery(delivery.ID))
}

async function handOver(world: Simulation, phone: Phone, who: Role) {
  const job = await jobOf(world, who)
  await look(world, phone)
  const { commands } = phone.tab().soma
  await world.perform(async () => {
    if (job?.status === 'Accepted') await commands.pickUpDelivery(job.ID)
    if (job) await commands.completeDelivery(job.ID, `${job.deliveryCode}`)
  })
}

async function attachProof(world: Simulation, phone: Phone, who: Role) {
  const job = await jobOf(world, who)
  for (const action of ['pickUpDelivery', 'completeDelivery'] as const)
    if (job) await actElsewhere(world, action, job, world.server.tokens[who])
  await look(world, phone)
  const { commands } = phone.tab().soma
  await world.perform(
    async () => job && commands.attachProof(job.ID, await commands.keepPhoto(jpeg, 'image/jpeg')),
  )
}

/** What a driver carries, or takes on elsewhere when that is nothing. */
async function jobOf(world: Simulation, who: Role) {
  const { user } = world.server.residents[who]
  const theirs = async () =>
    (await world.deliveries()).find(
      ({ driver, status }) =>
        driver?.id === user.ID && (status === 'Accepted' || status === 'Picked Up'),
    )
  const known = await theirs()
  if (known) return known
  const free = (await world.deliveries()).find((each) => can({ user }, 'acceptDelivery', each))
  if (free) await actElsewhere(world, 'acceptDelivery', free, world.server.tokens[who])
  return theirs()
}

async function look(world: Simulation, phone: Phone) {
  const tab = phone.tab()
  tab.visible = true
  tab.comeBack()
  await world.settle()
}
