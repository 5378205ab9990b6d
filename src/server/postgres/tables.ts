/*
 * Every table of PostgreSQL. `npm run migrations` compares them with the last migration and writes the
 * next one. What Drizzle cannot express (triggers for `changed`, `version` and the ledger's balance, search columns)
 * stands in the migrations alone.
 */
export * from './tables/accounts.ts'
export * from './tables/deliveries.ts'
export * from './tables/notifications.ts'
export * from './tables/payments.ts'
export * from './tables/records.ts'
