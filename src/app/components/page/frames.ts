import { product } from '#domain/product.ts'

/*
 * What stands in the place of each screen while it loads: the same picture before the first script
 * (src/boot.ts), before the database is open (`Opening`), while the screen's own script loads and while
 * its rows do (`Loading`). It is text, because at first no script can draw it; the styles of its classes
 * are in frames.css.
 */

/**
 * The screen's heading, and then what is below it. `title` and `lead`: the heading's texts, where they are the
 * same for everybody; the screen repeats them.
 */
type Frame = { heading: string[]; content: string[]; title?: string; lead?: string }

const frames = {
  home: { heading: [], content: ['hero', 'half', 'half'] },
  send: {
    heading: ['title', 'lead'],
    content: ['choice', 'form'],
    title: 'Send a Package',
    lead: "Works without signal. We'll send it when you're back online.",
  },
  /** Of a screen, where the rest is drawn already. */
  form: { heading: [], content: ['form'] },
  drive: {
    heading: ['title'],
    content: ['bar', 'line', ...Array.from({ length: 6 }, () => 'half')],
  },
  'driver-pending': { heading: ['title'], content: ['card', 'bar'] },
  auth: {
    heading: ['mark', 'title', 'lead'],
    content: ['form'],
    title: `Welcome to ${product}`,
    lead: 'For senders and drivers. Guests need no account.',
  },
  /** Steps of the login have other headings. */
  step: { heading: ['mark', 'title'], content: ['form'] },
  delivery: { heading: [], content: ['card', 'row', 'card'] },
  deliveries: {
    heading: ['title'],
    content: ['choice', 'row', 'row', 'row'],
    title: 'Deliveries',
  },
  profile: { heading: ['title'], content: ['tall', 'tall', 'row'], title: 'Account' },
  outbox: {
    heading: ['title', 'lead'],
    content: ['card', 'card'],
    title: 'Outbox',
    lead: 'Everything here sends automatically.',
  },
  admin: { heading: ['title'], content: ['bar', 'form'] },
  other: { heading: ['title'], content: ['card'] },
} satisfies Record<string, Frame>

export type FrameName = keyof typeof frames

/** The frame of a path with its query, wherever the app lies: the demo may be below any folder. */
export function frameNameOf(path: string): FrameName {
  if (/auth\?(.*&)?step=/.test(path)) return 'step'
  const [, found] =
    /(?:^|\/)(send|drive|driver-pending|auth|delivery|deliveries|profile|outbox|admin)(?=\/|\?|$)/.exec(
      path,
    ) ?? []
  return (found as FrameName | undefined) ?? (/(?:^|\/)(\?|$)/.test(path) ? 'home' : 'other')
}

const block = (name: string, { title, lead }: Frame) =>
  name === 'title' && title
    ? `<b class="boot-h1">${title}</b>`
    : name === 'lead' && lead
      ? `<p class="boot-p">${lead}</p>`
      : `<i class="boot-${name}"></i>`

/** Blocks in the place of a screen's content, without the heading where the screen has drawn it. */
export function contentHtml(name: FrameName, withHeading = true): string {
  const frame: Frame = frames[name]
  const names = withHeading ? [...frame.heading, ...frame.content] : frame.content
  const blocks = names.map((each) => block(each, frame)).join('')
  return `<div class="boot-blocks boot-${name === 'step' ? 'auth' : name}">${blocks}</div>`
}

const kente = '<div class="boot-kente"></div>'
const brand =
  '<svg viewBox="0 0 32 32" width="28" height="28"><rect x="1" y="1" width="30" height="30" rx="9" fill="#0b6b45"/><path d="M8 21c4 0 4-10 8-10s4 10 8 10" fill="none" stroke="#f4b731" stroke-width="3.4" stroke-linecap="round"/><circle cx="8" cy="21" r="2.6" fill="#fff"/><path d="M24 17.3 27.7 21 24 24.7 20.3 21z" fill="#fff"/></svg>Soma'

/** The bars or the header of a screen, and its content. */
export function frameHtml(path: string): string {
  const name = frameNameOf(path)
  const main = `<div class="boot-main">${contentHtml(name)}</div>`
  if (name === 'admin')
    return `<div class="boot boot-office"><div class="boot-side">${kente}<div class="boot-head">${brand}</div><div class="boot-links"></div></div>${main}</div>`
  const head = name === 'delivery' ? '<i class="boot-title"></i>' : brand
  const tabs = name === 'delivery' ? '' : '<div class="boot-tabs"></div>'
  return `<div class="boot boot-at-${name}"><div class="boot-top">${kente}<div class="boot-head">${head}</div></div>${main}${tabs}</div>`
}
