import { randomPayments } from '../../../../server/rules/payments/random-payments.ts'

await randomPayments(400, 'paystack', 2)
await randomPayments(400, 'direct', 6)
