import { BlockList, isIP, isIPv4 } from 'node:net'

/** Who a request came from, as the limits count: an IPv4 address, or the /64 network of an IPv6 one. */
export type ClientAddress = (socketAddress: string | undefined, forwardedFor: string[]) => string

/**
 * Behind the proxies of this list (addresses and CIDR ranges) the caller is the right-most address of
 * `X-Forwarded-For` that is not itself one of them. From any other socket the header says nothing.
 */
export function clientAddress(trusted: string[]): ClientAddress {
  const isTrusted = trustedProxies(trusted)
  return (socketAddress, forwardedFor) => {
    let caller = normalAddress(socketAddress ?? '')
    if (caller === undefined) return 'unknown'
    const hops = forwardedFor.flatMap((line) => line.split(','))
    for (let at = hops.length - 1; at >= 0 && isTrusted(caller); at--) {
      const hop = normalAddress(withoutPort((hops[at] ?? '').trim()))
      // What is left of it was written by nobody we know.
      if (hop === undefined) break
      caller = hop
    }
    return networkOf(caller)
  }
}

/** Whether an address is one of these proxies. */
export function trustedProxies(trusted: string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const each of trusted) {
    const [text = '', bits] = each.split('/')
    const address = normalAddress(text)
    if (address === undefined) continue
    const type = isIPv4(address) ? 'ipv4' : 'ipv6'
    // A range of IPv4-mapped addresses is one of IPv4.
    const mappedBits = type === 'ipv4' && !isIPv4(text) ? 96 : 0
    if (bits === undefined) list.addAddress(address, type)
    else list.addSubnet(address, Math.max(0, Number(bits) - mappedBits), type)
  }
  return (text) => {
    const address = normalAddress(text)
    return address !== undefined && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
}

/** An address in the one way it is written here; IPv4 inside IPv6 is IPv4. `undefined` when it is none. */
function normalAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 4) return bare
  if (family === 0) return undefined
  const groups = groupsOf(bare)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return groups.map((group) => group.toString(16)).join(':')
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/** The eight numbers of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [a * 256 + +b, c * 256 + +d].map((group) => group.toString(16)).join(':'),
  )
  const [head = '', tail] = hex.split('::')
  const numbers = (part: string) =>
    part.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)]))
  const [before, after] = [numbers(head), numbers(tail ?? '')]
  return [...before, ...Array(8 - before.length - after.length).fill(0), ...after]
}

/** Some proxies add the caller's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text

const loopback = '0:0:0:0:0:0:0:1'

/** Whoever has an IPv6 network has all its addresses. */
const networkOf = (address: string): string =>
  address === loopback
    ? '::1'
    : address.includes(':')
      ? address.split(':').slice(0, 4).join(':')
      : address
