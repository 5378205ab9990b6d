import { resultsTable } from '../results.ts'

/* The table of `npm run bench -- server`. */

export { at, median, round } from '../results.ts'
export const { keep, compare } = resultsTable('server.json')
