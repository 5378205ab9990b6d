import { randomPayments } from './random-payments.ts'

await randomPayments(100, 'paystack')
await randomPayments(100, 'direct')
