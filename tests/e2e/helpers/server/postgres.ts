import { startTestPostgres } from '../../../helpers/database/postgres.ts'

/** The name under which the workers of Playwright find the run's PostgreSQL. */
export const postgresVariable = 'SOMA_E2E_POSTGRES'

/** Playwright's global set-up: one PostgreSQL for the whole run, with a template for the servers' databases. */
export default async function setup() {
  const { url, stop } = await startTestPostgres()
  process.env[postgresVariable] = url
  return stop
}
