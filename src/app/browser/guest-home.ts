import { frameNameOf } from '../components/page/frames.ts'

/** The address that is opened: the demo gets a deep link as its parameter `to`. */
export const openedPath = (): string =>
  new URLSearchParams(location.search).get('to') ?? location.pathname + location.search

/** Whether the page is opened at Home by somebody for whom it looks as it does to a new guest. */
export const isGuestHome = (): boolean => frameNameOf(openedPath()) === 'home' && isGuest()

/** Nobody is logged in on this phone, and no delivery of a guest is under way. */
function isGuest(): boolean {
  try {
    return !['token', 'live'].some((name) => localStorage.getItem(name))
  } catch {
    // The browser forbids storage: then there is nothing to remember either.
    return true
  }
}
