import { statementFailureTests } from './statement-failures.ts'

statementFailureTests({ compareEach: false })
