import { expect, test, vi } from 'vitest'
import { takeFirstAnswers } from '#sync/platform/first-answers.ts'

const url = 'http://localhost/api/zones'
const early = () => ({ '/api/zones': Promise.resolve(new Response('early')) })
const network = () => vi.fn(async () => new Response('network'))

test('What the page asked for before its scripts is taken once, and then asked for anew', async () => {
  const transport = network()
  const send = takeFirstAnswers(transport, early())
  expect(await (await send(new Request(url))).text()).toBe('early')
  expect(transport).not.toHaveBeenCalled()
  expect(await (await send(new Request(url))).text()).toBe('network')
})

test.each([
  ['another path', new Request('http://localhost/api/items')],
  ['a query', new Request(`${url}?search=osu`)],
  ['a token', new Request(url, { headers: { authorization: 'Bearer x' } })],
  ['a tag', new Request(url, { headers: { 'if-none-match': '"x"' } })],
  ['a change', new Request(url, { method: 'POST' })],
])('A call with %s goes to the network', async (_, request) => {
  const send = takeFirstAnswers(network(), early())
  expect(await (await send(request)).text()).toBe('network')
})

test.each([
  ['had no answer', undefined],
  ['was refused', new Response('', { status: 503 })],
])('What %s is asked for again', async (_, answer) => {
  const send = takeFirstAnswers(network(), { '/api/zones': Promise.resolve(answer) })
  expect(await (await send(new Request(url))).text()).toBe('network')
})

test('A call that is called off does not wait for an answer that never comes', async () => {
  const stop = new AbortController()
  const send = takeFirstAnswers(network(), { '/api/zones': new Promise(() => {}) })
  const asked = send(new Request(url, { signal: stop.signal }))
  stop.abort(new Error('too late'))
  await expect(asked).rejects.toThrow('too late')
})
