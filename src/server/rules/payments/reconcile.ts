import { shortPrice, toCedis } from '#domain/money.ts'
import type { ProviderLine } from '../../ports/payment-provider.ts'
import type { Ports } from '../../ports/ports.ts'
import type { PaymentRow } from '../../ports/stores/payment-store.ts'
import { writeDifferences } from '../money/differences.ts'
import { repeatedly } from '../repeatedly.ts'

type Needs = Pick<Ports, 'repo' | 'secrets' | 'clock' | 'log' | 'provider'>
type Difference = { text: string; row?: PaymentRow }

const hour = 60 * 60_000
const day = 24 * hour
/** Milliseconds of payments that are compared each night. */
const compared = 3 * day

/**
 * Compares our payments with the provider's list, stores a sentence for each difference for the office, and asks about
 * those payments anew (R180). Returns the sentences.
 */
export async function reconcile({ provider, repo, clock }: Needs): Promise<string[]> {
  if (!provider) return []
  const since = iso(clock() - compared)
  // Ours are read first: what arrives in between is compared tomorrow.
  const rows = await repo.read(({ payments }) =>
    payments.changedSince(iso(clock() - compared - day)),
  )
  const differences = differencesOf(rows, await provider.list(since), since)
  const texts = differences.map(({ text }) => text)
  await repo.transaction(async (stores) => {
    await writeDifferences(stores, texts)
    for (const { row } of differences) {
      const stored = row && (await stores.payments.lock(row.id))
      if (stored && stored.status !== 'waiting')
        await stores.payments.save({ ...stored, dueAt: iso(clock()) })
    }
  })
  return texts
}

/** What differs. Rows that were made before `since` may be missing in the list. */
function differencesOf(rows: PaymentRow[], lines: ProviderLine[], since: string): Difference[] {
  const ofProvider = rows.filter((row) => !isByHand(row))
  const byId = new Map(ofProvider.map((row) => [row.id, row]))
  const found = lines.flatMap((line): Difference[] => {
    if (line.status !== 'paid') return []
    const row = byId.get(line.reference.slice(0, 36))
    const what = `The ${line.kind} ${line.reference} of ${amountOf(line)}`
    if (row?.kind !== line.kind)
      return [{ text: `${what} is paid at the provider and unknown here.` }]
    if (line.kind === 'payout' && line.reference !== (row.reference ?? row.id))
      return [{ text: `${what} is paid at the provider, beside ${row.reference}.`, row }]
    if (row.pesewas !== line.pesewas)
      return [{ text: `${what} is one of ${amountOf(row)} here.`, row }]
    return row.status === 'paid'
      ? []
      : [{ text: `${what} is paid at the provider and ${row.status} here.`, row }]
  })
  const paid = new Set(
    lines.filter(({ status }) => status === 'paid').map(({ reference }) => reference),
  )
  const missing = ofProvider.filter(
    (row) => row.status === 'paid' && row.createdAt >= since && !paid.has(row.reference ?? row.id),
  )
  return [
    ...found,
    ...missing.map((row) => ({
      text: `The ${row.kind} ${row.reference ?? row.id} of ${amountOf(row)} is paid here and not at the provider.`,
      row,
    })),
  ]
}

/** Paid by people: its reference is not ours. */
const isByHand = ({ id, reference }: PaymentRow) =>
  reference !== undefined && !reference.startsWith(id)

const amountOf = ({ pesewas }: { pesewas: number }) => shortPrice(toCedis(pesewas))

/** Compares once a night, by one process. Returns the function that ends it. */
export function startReconciliation(ports: Needs): () => void {
  const { pass, end } = repeatedly(
    hour,
    () => reconcileTonight(ports),
    (error) =>
      ports.log.warn(
        { err: error },
        'The payments were not compared with the provider’s; the next try is in an hour',
      ),
  )
  void pass()
  return end
}

/** Nothing happens where another process does it, or has done it. One that has not ended after an hour was cut off. */
export async function reconcileTonight(ports: Needs): Promise<void> {
  const { provider, repo, secrets, clock, log } = ports
  if (!provider) return
  const now = clock()
  const name = settingOf(now)
  const ours = `${iso(now)} ${secrets.id()}`
  const isOurs = await repo.transaction(async ({ settings, attempts }) => {
    await attempts.lock(name)
    await settings.remove(settingOf(now - day))
    const [begun = ''] = (await settings.get(name))?.split(' ') ?? []
    if (Date.parse(begun) <= now - hour) await settings.remove(name)
    return (await settings.keep(name, ours)) === ours
  })
  if (!isOurs) return
  try {
    const differences = await reconcile(ports)
    await repo.transaction(({ settings }) => settings.set(name, 'done'))
    if (differences.length > 0)
      log.error({ differences }, 'Our payments differ from those of the provider')
  } catch (error) {
    await repo.transaction(({ settings }) => settings.remove(name))
    throw error
  }
}

/** Holds when a process began to compare, and its ID, or `done`. */
const settingOf = (time: number) => `payments compared ${iso(time).slice(0, 10)}`

const iso = (time: number) => new Date(time).toISOString()
