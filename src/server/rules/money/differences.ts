import * as z from 'zod/mini'
import type { Stores } from '../../ports/repo.ts'

/** Where the reconciliation with the payment provider leaves what it found. */
const setting = 'payment differences'

const Texts = z.array(z.string())

/** What the last reconciliation found, a sentence for each difference (R184). Empty where there was none. */
export async function readDifferences({ settings }: Pick<Stores, 'settings'>): Promise<string[]> {
  const stored = await settings.get(setting)
  return stored === undefined ? [] : Texts.parse(JSON.parse(stored))
}

/** Replaces what an earlier reconciliation found. In a transaction. */
export async function writeDifferences(
  { settings }: Pick<Stores, 'settings'>,
  differences: string[],
): Promise<void> {
  if (differences.length === 0) return settings.remove(setting)
  await settings.set(setting, JSON.stringify(differences))
}
