import { deleteSubjectState, getSubjectState } from '../../database/device/state.ts'
import type { SomaDb } from '../../soma-db.ts'

/** The server answered for the delivery: refusals before do not count any more. */
export async function forgetRefusal(db: SomaDb, account: string, id: string): Promise<void> {
  const subject = `${account}:${id}`
  if ((await getSubjectState(db, 'refused', subject)) !== undefined)
    await deleteSubjectState(db, 'refused', subject)
}
