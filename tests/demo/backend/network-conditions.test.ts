import { describe, expect, test } from 'vitest'
import { simulateNetwork } from '#demo/backend/network-conditions.ts'

const ask = (init?: RequestInit) => new Request('https://soma.invalid/api/zones', init)

function world(options: { random?: () => number } = {}) {
  let acted = 0
  const waited: number[] = []
  const weather = simulateNetwork(
    async () => {
      acted += 1
      return new Response('{}')
    },
    { pause: async (ms) => void waited.push(ms), ...options },
  )
  return { weather, waited, acted: () => acted }
}

describe('The weather between phone and server', () => {
  test('fine: every request is answered', async () => {
    const { weather, waited } = world()
    expect((await weather.transport(ask())).ok).toBe(true)
    expect(waited).toEqual([])
  })

  test('off: nobody is reached, until it is back; each is told once', async () => {
    const { weather, acted } = world()
    const told: string[] = []
    const leave = [
      weather.onResume(() => told.push('back')),
      weather.onLost(() => told.push('lost')),
    ]
    weather.setCondition('off')
    weather.setCondition('off')
    expect(told).toEqual(['lost'])
    await expect(weather.transport(ask())).rejects.toThrow(TypeError)
    expect(acted()).toBe(0)
    weather.setCondition('fine')
    weather.setCondition('slow')
    expect(told).toEqual(['lost', 'back'])
    for (const each of leave) each()
    weather.setCondition('off')
    weather.setCondition('fine')
    expect(told).toEqual(['lost', 'back'])
    expect((await weather.transport(ask())).ok).toBe(true)
  })

  test('slow: a request takes seconds, and is lost when the network goes meanwhile', async () => {
    const { weather, waited } = world({ random: () => 0.5 })
    weather.setCondition('slow')
    await weather.transport(ask())
    expect(waited).toEqual([2_750])
    const cut = simulateNetwork(async () => new Response('{}'), {
      pause: async () => cut.setCondition('off'),
    })
    cut.setCondition('slow')
    await expect(cut.transport(ask())).rejects.toThrow(TypeError)
  })

  test('slow: whoever has given up is not served', async () => {
    const { weather, acted } = world()
    weather.setCondition('slow')
    await expect(weather.transport(ask({ signal: AbortSignal.abort() }))).rejects.toThrow()
    expect(acted()).toBe(0)
  })

  test('lossy: a request may be lost before the server acts, and its answer after', async () => {
    const rolls = [0.1, 0.9, 0.1, 0.9, 0.9]
    const { weather, acted } = world({ random: () => rolls.shift() ?? 1 })
    weather.setCondition('lossy')
    await expect(weather.transport(ask())).rejects.toThrow(TypeError)
    expect(acted()).toBe(0)
    await expect(weather.transport(ask())).rejects.toThrow(TypeError)
    expect(acted()).toBe(1)
    expect((await weather.transport(ask())).ok).toBe(true)
  })

  test('what belongs to the stage is not touched by it', async () => {
    const { weather } = world()
    weather.setCondition('off')
    expect((await weather.bypass(() => weather.transport(ask()))).ok).toBe(true)
    await expect(weather.transport(ask())).rejects.toThrow(TypeError)
  })

  test('a stream of news breaks when the network goes, and when its reader lets go', async () => {
    const open = () => {
      const weather = simulateNetwork(async () => {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode('event: hello\n\n')),
        })
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      })
      return weather
    }
    const cut = open()
    const reader = (await cut.transport(ask())).body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('hello')
    const next = reader?.read()
    cut.setCondition('off')
    await expect(next).rejects.toThrow(TypeError)

    const gone = new AbortController()
    const other = (await open().transport(ask({ signal: gone.signal }))).body?.getReader()
    await other?.read()
    gone.abort()
    await expect(other?.read()).rejects.toThrow()
  })
})
