import { randomPayments } from './random-payments.ts'

await randomPayments(20, 'paystack')
await randomPayments(20, 'direct')
