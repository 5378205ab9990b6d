import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientAddress } from '#server/node/listen/client-address.ts'

const ipv4 = fc.ipV4()
const ipv6 = fc.ipV6()
const address = fc.oneof(ipv4, ipv6)
const rubbish = fc.oneof(
  fc.string(),
  fc.constantFrom('unknown', '_hidden', '', '999.1.1.1', '1.2.3', 'localhost', '::g', '10.0.0.1/8'),
)
/** Arbitrary `X-Forwarded-For` lines. */
const lines = fc.array(
  fc.array(fc.oneof(address, rubbish), { maxLength: 5 }).map((hops) => hops.join(', ')),
  { maxLength: 4 },
)

const proxies = ['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48']
const caller = clientAddress(proxies)
const nobodyTrusted = clientAddress([])

describe('The client address', () => {
  test('is the socket’s address when that is no trusted proxy, whatever the header says', () => {
    fc.assert(
      fc.property(address, lines, (socket, forwarded) => {
        expect(nobodyTrusted(socket, forwarded)).toBe(nobodyTrusted(socket, []))
        const isProxy = caller(socket, ['198.51.100.1']) === '198.51.100.1'
        if (!isProxy) expect(caller(socket, forwarded)).toBe(caller(socket, []))
      }),
      { numRuns: 2_000 },
    )
  })

  test('cannot be chosen by a client behind a proxy', () => {
    fc.assert(
      fc.property(address, lines, (client, sent) => {
        fc.pre(caller(client, []) !== caller('10.0.0.1', []))
        fc.pre(caller(client, ['198.51.100.1']) !== '198.51.100.1')
        // The proxy appends the address it sees to the last line or as a new line.
        const appended = [...sent.slice(0, -1), [...sent.slice(-1), client].join(', ')]
        expect(caller('10.0.0.1', appended)).toBe(nobodyTrusted(client, []))
        expect(caller('10.0.0.1', [...sent, client])).toBe(nobodyTrusted(client, []))
        // The same through a second proxy.
        expect(caller('192.0.2.7', [...sent, client, '10.9.9.9'])).toBe(nobodyTrusted(client, []))
      }),
      { numRuns: 2_000 },
    )
  })

  test('is a short text for any header, without an error', () => {
    fc.assert(
      fc.property(fc.oneof(address, rubbish), lines, (socket, forwarded) => {
        const said = caller(socket, forwarded)
        expect(said).toMatch(/^(unknown|[\d.]{7,15}|::1|[0-9a-f:]{7,19})$/)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    [
      'the right-most address that is not a proxy',
      '10.0.0.1',
      ['1.1.1.1, 203.0.113.5, 10.2.2.2'],
      '203.0.113.5',
    ],
    ['several lines as one list', '10.0.0.1', ['203.0.113.5', '10.2.2.2'], '203.0.113.5'],
    [
      'the last valid address before an invalid one',
      '10.0.0.1',
      ['203.0.113.5, what, 10.2.2.2'],
      '10.2.2.2',
    ],
    ['the proxy itself when it says nothing', '10.0.0.1', [], '10.0.0.1'],
    ['the proxy itself when it says nonsense', '10.0.0.1', ['what'], '10.0.0.1'],
    ['the first of a list of proxies', '10.0.0.1', ['10.0.0.3, 10.0.0.2'], '10.0.0.3'],
    ['IPv4 inside IPv6 as IPv4', '::ffff:10.0.0.1', ['::ffff:203.0.113.5'], '203.0.113.5'],
    ['IPv4 inside IPv6 in hex as IPv4', '::ffff:a00:1', ['::ffff:cb00:7105'], '203.0.113.5'],
    ['without a port', '10.0.0.1', ['203.0.113.5:4711'], '203.0.113.5'],
    ['IPv6 as its /64', '2001:db8:ffff::1', ['[2001:db8:1:2:3:4:5:6]:80'], '2001:db8:1:2'],
    ['IPv6 as its /64, however short it is written', '2001:db8::1', [], '2001:db8:0:0'],
    ['loopback', '::1', [], '::1'],
    ['a zone left out', 'fe80::1%eth0', [], 'fe80:0:0:0'],
    ['nobody', undefined, ['1.1.1.1'], 'unknown'],
  ])('%s', (_, socket, forwarded, expected) => {
    expect(caller(socket, forwarded)).toBe(expected)
  })

  test('a range of IPv4-mapped addresses matches IPv4 addresses', () => {
    const mapped = clientAddress(['::ffff:10.0.0.0/104'])
    expect(mapped('10.1.2.3', ['203.0.113.5'])).toBe('203.0.113.5')
    expect(mapped('11.1.2.3', ['203.0.113.5'])).toBe('11.1.2.3')
  })
})
