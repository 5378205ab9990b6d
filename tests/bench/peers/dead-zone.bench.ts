import { test } from '@playwright/test'
import { once, peersServer, runs } from './bench.ts'
import { measure } from './table.ts'

const server = peersServer()

test('what a driver did in a dead zone, at 400 ms round trip', async () => {
  const found: number[] = []
  for (let run = 0; run < runs; run++) {
    await once(server(), { network: { roundTrip: 400 } }, { name: 'ours', call: 'deadZone' })
    found.push(server().roundTrips())
  }
  const note =
    'Accept, pick-up, code, proof photo and two requests with photos. Counted by the server: a request that ' +
    'began after the answer of another had come follows it.'
  const against = 'round trips one after another'
  measure(
    { work: 'a driver’s queue after a dead zone', against, target: 4, unit: 'count', note },
    found,
  )
})
