import { failingStatements } from '../../../server/log/failing-statements.ts'

failingStatements(1)
