import { describe, expect, test } from 'vitest'
import { simulateNetwork } from '#demo/backend/network-conditions.ts'

const ask = (init?: RequestInit) => new Request('https://soma.invalid/api/zones', init)

function simulated(options: { random?: () => number } = {}) {
  let handled = 0
  const waited: number[] = []
  const network = simulateNetwork(
    async () => {
      handled += 1
      return new Response('{}')
    },
    { pause: async (ms) => void waited.push(ms), ...options },
  )
  return { network, waited, handled: () => handled }
}

describe('The simulated network between device and server', () => {
  test('fine: every request is answered at once', async () => {
    const { network, waited } = simulated()
    expect((await network.transport(ask())).ok).toBe(true)
    expect(waited).toEqual([])
  })

  test('off: requests fail until the network is back; each change is reported once', async () => {
    const { network, handled } = simulated()
    const events: string[] = []
    const unsubscribe = [
      network.onResume(() => events.push('resumed')),
      network.onLost(() => events.push('lost')),
    ]
    network.setCondition('off')
    network.setCondition('off')
    expect(events).toEqual(['lost'])
    await expect(network.transport(ask())).rejects.toThrow(TypeError)
    expect(handled()).toBe(0)
    network.setCondition('fine')
    network.setCondition('slow')
    expect(events).toEqual(['lost', 'resumed'])
    for (const each of unsubscribe) each()
    network.setCondition('off')
    network.setCondition('fine')
    expect(events).toEqual(['lost', 'resumed'])
    expect((await network.transport(ask())).ok).toBe(true)
  })

  test('slow: a request takes seconds, and fails when the network goes in the meantime', async () => {
    const { network, waited } = simulated({ random: () => 0.5 })
    network.setCondition('slow')
    await network.transport(ask())
    expect(waited).toEqual([2_750])
    const cut = simulateNetwork(async () => new Response('{}'), {
      pause: async () => cut.setCondition('off'),
    })
    cut.setCondition('slow')
    await expect(cut.transport(ask())).rejects.toThrow(TypeError)
  })

  test('slow: an aborted request does not reach the server', async () => {
    const { network, handled } = simulated()
    network.setCondition('slow')
    await expect(network.transport(ask({ signal: AbortSignal.abort() }))).rejects.toThrow()
    expect(handled()).toBe(0)
  })

  test('lossy: a request may be lost before the server acts, and an answer after', async () => {
    const numbers = [0.1, 0.9, 0.1, 0.9, 0.9]
    const { network, handled } = simulated({ random: () => numbers.shift() ?? 1 })
    network.setCondition('lossy')
    await expect(network.transport(ask())).rejects.toThrow(TypeError)
    expect(handled()).toBe(0)
    await expect(network.transport(ask())).rejects.toThrow(TypeError)
    expect(handled()).toBe(1)
    expect((await network.transport(ask())).ok).toBe(true)
  })

  test('bypass: the demo’s own requests succeed with the network off', async () => {
    const { network } = simulated()
    network.setCondition('off')
    expect((await network.bypass(() => network.transport(ask()))).ok).toBe(true)
    await expect(network.transport(ask())).rejects.toThrow(TypeError)
  })

  test('an event stream breaks when the network goes, and when its request is aborted', async () => {
    const open = () => {
      const network = simulateNetwork(async () => {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode('event: hello\n\n')),
        })
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      })
      return network
    }
    const cut = open()
    const reader = (await cut.transport(ask())).body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('hello')
    const next = reader?.read()
    cut.setCondition('off')
    await expect(next).rejects.toThrow(TypeError)

    const aborted = new AbortController()
    const other = (await open().transport(ask({ signal: aborted.signal }))).body?.getReader()
    await other?.read()
    aborted.abort()
    await expect(other?.read()).rejects.toThrow()
  })
})
