import type { ChangeEvent } from '#server/rules/change-events.ts'

type Listener = { hear: (news: ChangeEvent) => void; lost: () => void }

/**
 * Tells every tab of this origin that has this database open, this one too. Where there is no
 * BroadcastChannel the others poll, as a client without pushed news does.
 */
export function newsWire(name: string) {
  const listeners = new Set<Listener>()
  const channel =
    typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`${name} news`)
  const tell = (all: ChangeEvent[]) => {
    for (const news of all) for (const { hear } of listeners) hear(news)
  }
  const lose = () => {
    for (const { lost } of listeners) lost()
  }
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<ChangeEvent[]>) => tell(data)
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
    say(all: ChangeEvent[]) {
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
