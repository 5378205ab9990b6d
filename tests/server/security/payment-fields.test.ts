import { paymentFieldTests } from './access/payment-fields.ts'

paymentFieldTests(false)
