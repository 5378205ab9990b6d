import { deliveryTests } from './deliveries.ts'

await deliveryTests()
