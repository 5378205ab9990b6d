import { randomPayments } from '../../../../server/rules/payments/random-payments.ts'

for (const seed of [2, 3, 4, 5]) await randomPayments(475, 'paystack', seed)
for (const seed of [6, 7]) await randomPayments(950, 'direct', seed)
