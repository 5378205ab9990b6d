import { failingStatements } from './failing-statements.ts'

// `npm run test:slow` fails every statement.
failingStatements(4)
