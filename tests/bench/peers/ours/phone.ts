import { v7 } from 'uuid'
import { emptyDraft, type SendDraft } from '#domain/deliveries/draft.ts'
import { openSoma, type Soma } from '#store/open.ts'
import { type Clock, realClock } from '#sync/platform/context.ts'
import { askAt, sender } from '../rows.ts'

/** A new phone of ours with an empty store; `signedIn`: in the sender's hands. */
export async function freshPhone({
  signedIn = false,
  clock = realClock,
}: {
  signedIn?: boolean
  clock?: Clock
} = {}): Promise<Soma> {
  const base = new URL('/api', location.href).href
  const soma = openSoma({ base, dbName: `bench-${v7()}`, clock })
  await soma.db.open()
  if (signedIn) {
    const session = { account: sender.ID, token: 'a-token-of-the-usual-length-000000000000' }
    await soma.db.sessions.put({ key: 'current', ...session, user: { ...sender } })
  }
  return soma
}

/** A photo the image provider has already, so that one request is one mutation. */
export async function hostedPhoto({ commands, db }: Soma): Promise<string> {
  const photo = await commands.savePhoto(new ArrayBuffer(64), 'image/jpeg')
  await db.photos.update(photo, { url: askAt(0).itemPhoto })
  return photo
}

export const draftAt = (index: number, photo: string): SendDraft => {
  const { itemPhoto: _, offer, ...asked } = askAt(index)
  return { ...emptyDraft, ...asked, offer: String(offer), photo }
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export const pause = (time: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, time))

export const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
