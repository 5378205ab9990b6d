import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { hold, settlement } from '#server/rules/deliveries/ledger.ts'
import { moneyFault } from '../../../helpers/server/money-fault.ts'
import { drawn, graphOf, type Party, stuckWithout } from './graph.ts'

const graph = graphOf()

test('R101 to R108: the rules lead to these states and no others', () => {
  const stages = ['Pending', 'Accepted', 'Picked Up', 'Attempted', 'Returning', 'Delivered']
  const ends = ['Approved', ...['refunded', 'returned', 'split'].map((how) => `Cancelled, ${how}`)]
  const disputed = stages.map((stage) => `${stage}, disputed`)
  expect([...graph.states.keys()].sort()).toEqual([...stages, ...disputed, ...ends].sort())
})

describe('R106: a way leads from every state to an end', () => {
  const all: Party[] = ['sender', 'driver', 'recipient', 'admin']
  const without = (absent: Party[]) => stuckWithout(absent, graph)

  test('with everybody there', () => expect(without([])).toEqual([]))
  for (const absent of all.filter((party) => party !== 'admin'))
    test(`without the ${absent}`, () => expect(without([absent])).toEqual([]))
  test('without the sender, the driver and the recipient', () =>
    expect(without(['sender', 'driver', 'recipient'])).toEqual([]))

  /** Where an admin alone can end it. Every line more is work for support, and a wait for people. */
  const asksAdmins: [Party[], string[]][] = [
    // A dispute about something handed over waits for its decision (R108).
    [[], ['Delivered, disputed']],
    [['recipient'], ['Delivered, disputed']],
    // A driver who vanished with the parcel.
    [['driver'], ['Picked Up', 'Attempted']],
    // Nobody hands the item over, and nobody takes the request back.
    [['sender'], ['Pending', 'Accepted']],
  ]
  test.each(asksAdmins)(
    'of what needs an admin without %j nothing more is added',
    (absent, names) => {
      const stuck = without([...absent, 'admin'])
      expect(stuck.filter((name) => !name.includes('disputed'))).toEqual(
        names.filter((name) => !name.includes('disputed')).sort(),
      )
      if (absent.length === 0) expect(stuck).toEqual(names)
    },
  )

  test('a timer alone ends what is delivered', () => {
    expect(without(all)).not.toContain('Delivered')
  })
})

test('R41, R105, R107: every end divides the whole offer, to the pesewa', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2_100, max: 1_000_000 }), (pesewas) => {
      for (const [name, delivery] of graphOf(pesewas / 100).states) {
        const isOver = !isActiveDelivery(delivery)
        const transfers = [hold(delivery, v7()), ...(isOver ? settlement(delivery, v7) : [])]
        expect(moneyFault(delivery, transfers), name).toBeUndefined()
      }
    }),
    { numRuns: 100 },
  )
})

test('the README’s picture shows this graph', async () => {
  const picture = await readFile(
    new URL('../../../../.pictures/endings.svg', import.meta.url),
    'utf8',
  )
  const shown = [...picture.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)
  const { boxes, arrows } = drawn(graph)
  const labels = arrows.flatMap((arrow) => [...arrow.labels])
  expect(shown.sort()).toEqual([...boxes, ...labels].sort())
  const titles = [...picture.matchAll(/<title>(.*?)&#45;&gt;(.*?)<\/title>/g)]
  expect(titles.map(([, from, to]) => `${from}>${to}`).sort()).toEqual(
    arrows.map(({ from, to }) => `${from}>${to}`).sort(),
  )
})
