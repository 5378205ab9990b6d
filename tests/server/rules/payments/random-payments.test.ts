import { randomPayments } from './random-payments.ts'

await randomPayments(200, 'paystack')
await randomPayments(100, 'direct')
