import type { News } from '#server/rules/change-events.ts'

type Listener = { hear: (news: News) => void; lost: () => void }

/**
 * Tells every tab of this origin that has this database open, this one too. Where there is no
 * BroadcastChannel the others poll, as a client without pushed news does.
 */
export function openEventBus(name: string) {
  const listeners = new Set<Listener>()
  const channel =
    typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`${name} news`)
  const tell = (all: News[]) => {
    for (const news of all) for (const { hear } of listeners) hear(news)
  }
  const lose = () => {
    for (const { lost } of listeners) lost()
  }
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<News[]>) => tell(data)
    channel.onmessageerror = lose
  }
  return {
    listen(hear: Listener['hear'], lost: Listener['lost']) {
      const listener = { hear, lost }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    publish(all: News[]) {
      // A channel hears the others, not itself.
      channel?.postMessage(all)
      tell(all)
    },
    lose,
    close() {
      channel?.close()
      listeners.clear()
    },
  }
}
