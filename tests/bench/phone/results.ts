import { resultsTable } from '../results.ts'

/* The table of `npm run bench -- phone`. */

export { at, median, round } from '../results.ts'
export const { keep, compare } = resultsTable('phone.json')
