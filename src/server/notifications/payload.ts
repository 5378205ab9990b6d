import type { Message } from './messages.ts'
import { maxBytes } from './messages.ts'

/**
 * The JSON of a push message: browsers with Declarative Web Push show it themselves, the service worker shows it
 * elsewhere (R116). At most 400 bytes: a longer body is cut. `receipt`: the notification's ID, where the worker is
 * to confirm that it was shown (R119). `topic`: messages with the same one replace each other.
 */
export function payloadOf(
  { title, body, path }: Message,
  { origin, topic, receipt }: { origin: string; topic: string; receipt?: string },
): string {
  const build = (shown: string) =>
    JSON.stringify({
      web_push: 8030,
      notification: {
        title,
        body: shown,
        navigate: `${origin}/${path}`,
        tag: topic.slice(0, 8),
        ...(receipt ? { data: receipt } : {}),
      },
      mutable: true,
    })
  const signs = [...body]
  for (let length = signs.length; ; length--) {
    const shown = length === signs.length ? body : `${signs.slice(0, length).join('')}…`
    const json = build(shown)
    if (length === 0 || Buffer.byteLength(json) <= maxBytes) return json
  }
}
