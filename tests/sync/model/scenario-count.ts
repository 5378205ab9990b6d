/** Of what is always lived, a share; `npm run check` asks for less (`MODEL_SHARE`, from 0 to 1). */
const share = Number(process.env.MODEL_SHARE ?? 1)

/** Histories of one test file over IndexedDB; there are two files, for two cores. */
export const runs = Math.ceil(1_000 * share)
/** Over PostgreSQL, where each has a database to clear. */
export const runsInPostgres = Math.ceil(200 * share)
/** Milliseconds: ten times what two quiet cores need. */
export const patience = 20 * 60_000
