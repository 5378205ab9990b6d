import { isGuestHome } from './app/browser/guest-home.ts'

/*
 * Runs in the head of the page, where a guest's Home is part of it (src/first-page.tsx): hides that from everybody
 * else, and on every other screen, before it is drawn.
 */
if (!isGuestHome()) document.documentElement.classList.add('app')
