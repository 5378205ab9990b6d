import { defineConfig } from 'drizzle-kit'

/** For `npm run migrations`, which runs in the project's folder. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/server/postgres/tables.ts',
  out: './src/server/postgres/migrations',
})
