/** The share of the scenarios to run, from 0 to 1; `npm run check` runs a tenth. */
const share = Number(process.env.MODEL_SHARE ?? 1)

/** Scenarios of one test file over IndexedDB; there are two files, for two cores. */
export const runs = Math.ceil(1_000 * share)
/** Over PostgreSQL, where each has a database to clear. */
export const runsInPostgres = Math.ceil(200 * share)
/** Milliseconds: ten times what two quiet cores need. */
export const patience = 20 * 60_000
