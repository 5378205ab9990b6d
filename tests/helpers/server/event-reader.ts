import { createParser } from 'eventsource-parser'
import { present } from '../present.ts'

type Message = { id?: string; event?: string; data: string }
export type News = { about: string; id?: string; route?: [string, string]; job?: object }

export type EventReader = ReturnType<typeof readEvents>

/** Reads an event stream as a client does, until it ends or `stop` is called. */
export function readEvents(response: Response) {
  const messages: Message[] = []
  const reader = present(response.body).getReader()
  const parser = createParser({ onEvent: (message) => messages.push(message) })
  const decoder = new TextDecoder()
  let hasEnded = false
  const read = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      parser.feed(decoder.decode(value, { stream: true }))
    }
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true
    })
  return {
    messages,
    hasEnded: () => hasEnded,
    stop: () => void reader.cancel().catch(() => undefined),
    hello: () => messages.find(({ event }) => event === 'hello'),
    wasReset: () => messages.some(({ event }) => event === 'reset'),
    news: (): News[] =>
      messages.filter(({ event }) => event === 'news').map(({ data }) => JSON.parse(data)),
  }
}
