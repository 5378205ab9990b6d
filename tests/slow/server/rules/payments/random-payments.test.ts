import { randomPayments } from '../../../../server/rules/payments/random-payments.ts'

for (const seed of [2, 3]) await randomPayments(475, 'paystack', seed)
await randomPayments(950, 'direct', 6)
