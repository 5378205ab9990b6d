import { emptyDraft } from '#domain/deliveries/draft.ts'
import { openSoma } from '#store/open.ts'

/*
 * What a tab of `kills.e2e.ts` runs: the app's store, commands and engine without its screens, so that
 * hundreds of actions are quick.
 */

const soma = openSoma({ base: new URL('/api', location.href).href, dbName: 'kills' })
void soma.start()

/** Each of another guest, also after a reload: a number that is not confirmed has few open requests (R151). */
const newGuestPhone = () => {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return `024${String(random % 10_000_000).padStart(7, '0')}`
}

/** Requests a delivery with each of these names and reports an issue with it; resolves once everything is durable. */
async function act(items: string[], photoUrl: string): Promise<void> {
  const photo = await soma.commands.savePhoto(new ArrayBuffer(64), 'image/jpeg')
  await soma.db.photos.update(photo, { url: photoUrl })
  await Promise.all(
    items.map(async (itemDescription) => {
      const id = await soma.commands.requestDelivery(
        {
          ...emptyDraft,
          itemDescription,
          photo,
          pickupZone: 'Osu',
          dropoffZone: 'Tema',
          recipientName: 'Esi Mensah',
          recipientPhone: '0550000001',
          offer: '60',
          senderName: 'Kofi Boateng',
          senderPhone: newGuestPhone(),
        },
        'guest',
      )
      await soma.commands.reportIssue(id, `Something about ${itemDescription}`)
    }),
  )
}

/** How many entries are in each state. */
async function states(): Promise<Record<string, number>> {
  const entries = await soma.db.outbox.toArray()
  const count: Record<string, number> = {}
  for (const { state } of entries) count[state] = (count[state] ?? 0) + 1
  return count
}

const wake = () => soma.engine.wake()

const tab = { act, states, wake }
export type Tab = typeof tab
Object.assign(globalThis, { tab })
