import { openedPath } from './app/browser/guest-home.ts'
import { nextTask } from './app/browser/next-task.ts'
import frameStyles from './app/components/page/frames.css?inline'
import { type FrameName, frameHtml, frameNameOf } from './app/components/page/frames.ts'
import { buildNumber, clientVersionHeader } from './contract/version.ts'

/*
 * Runs before any other script has come; the build writes it at the end of index.html (server/launch/boot-script.ts),
 * where `start-boot.ts` runs it. On a guest's Home it leaves what stands there and is painted by then
 * (src/first-page.tsx); elsewhere it draws the frame of the screen that is opened.
 */

/** Screens whose frame has another name than their folder. */
const folders: Partial<Record<FrameName, string>> = { delivery: 'room', step: 'auth' }

/** The files of each screen; the build names them. */
declare const __PARTS__: Record<string, string[]>

/** The addresses of the stylesheets; the build names them. None in the demo, whose page has them as tags. */
declare const __STYLES__: string[]

/** The app's first files, each after those that it imports; none in the demo, whose page has them as tags. */
declare const __APP__: string[]

/** The calls of a first visit, whoever it is. */
const sharedPaths = ['/api/config', '/api/zones', '/api/items']

/** Milliseconds until the app is loaded without a frame being painted. */
const longestWait = 1_000

/** Milliseconds until a file that did not come is asked for again. */
const retryInterval = 5_000

/** More of them in one session would not help: then it is the file's own fault. */
const mostReloads = 5

const page = document.documentElement
const path = openedPath()
const screen = frameNameOf(path)

/** A guest's Home stands in the page, and is drawn by now (head.ts). */
const isFirstPage = import.meta.env.MODE === 'production' && !page.classList.contains('app')

// A newer worker may take over before the app listens (app/browser/update.ts).
globalThis.firstController = navigator.serviceWorker?.controller

// It comes once, maybe before the app runs (app/browser/install-prompt.ts).
addEventListener(
  'beforeinstallprompt',
  (event) => {
    event.preventDefault()
    globalThis.firstInstallPrompt = event
  },
  { once: true },
)

if (isFirstPage) {
  // Pressed before the app can answer: it answers when it is there (app/browser/first-page.ts).
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('#first button')) page.dataset.pressed = ''
  })
} else {
  addFrameStyles()
  page.classList.add('app')
  const root = document.getElementById('root')
  if (root)
    root.innerHTML =
      (import.meta.env.MODE === 'demo' ? '<div class="boot-demo"></div>' : '') + frameHtml(path)
}

if (import.meta.env.MODE === 'production') {
  for (const file of __APP__) append('modulepreload', `/${file}`).fetchPriority = 'low'
  // From the worker's store all comes at once. On a first visit it would keep the first paint waiting.
  if (isFirstPage || navigator.serviceWorker?.controller) void start()
  else afterFrame(start)
}

/**
 * Loads what the screen needs beside the app's files, and runs these in their order. In several tasks: together they
 * would hold up a tap.
 */
async function start() {
  if (isFirstPage) addFrameStyles()
  globalThis.styles = Promise.all(__STYLES__.map(loadStyles))
  for (const file of __PARTS__[folders[screen] ?? screen] ?? []) {
    append('modulepreload', `/${file}`)
    await nextTask()
  }
  if (!navigator.serviceWorker?.controller) {
    await nextTask()
    askForSharedLists()
  }
  for (const file of __APP__) {
    await nextTask()
    try {
      await import(/* @vite-ignore */ `/${file}`)
    } catch (error) {
      void reloadWithFile(file)
      throw error
    }
  }
}

/**
 * Loads the page again once a file that did not come can be had: a browser does not ask for a module twice. Also where
 * the server has it no longer: the page of a newer release names others.
 */
async function reloadWithFile(file: string) {
  const reloads = Number(sessionStorage.getItem('reloads'))
  if (reloads >= mostReloads) return
  let status = 0
  do {
    await new Promise((resolve) => setTimeout(resolve, retryInterval))
    status = await fetch(`/${file}`).then(
      (response) => response.status,
      () => 0,
    )
  } while (status === 0 || status >= 500)
  sessionStorage.setItem('reloads', `${reloads + 1}`)
  location.reload()
}

/**
 * Calls it once, when the frame of the screen is painted. It has little that browsers call content, so that they report
 * no paint of it; a page in the background paints nothing.
 */
function afterFrame(call: () => unknown) {
  let isCalled = false
  const once = () => {
    if (!isCalled) call()
    isCalled = true
  }
  addEventListener('DOMContentLoaded', () => {
    setTimeout(once, document.hidden ? 0 : longestWait)
    requestAnimationFrame(() => setTimeout(once))
  })
}

/**
 * Resolves when it was loaded or could not be: a screen without its styles is better than none. It holds for nothing
 * until the app's first screen is there (app/browser/first-page.ts), or what is drawn already would be drawn again.
 */
function loadStyles(href: string) {
  return new Promise<unknown>((resolve) => {
    const link = append('stylesheet', href)
    link.media = 'not all'
    link.fetchPriority = 'high'
    link.onload = resolve
    link.onerror = resolve
  })
}

function addFrameStyles() {
  const style = document.createElement('style')
  style.textContent = frameStyles
  document.head.append(style)
}

/** Loads a file beside the app's first ones. */
function append(rel: 'stylesheet' | 'modulepreload', href: string): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = rel
  link.crossOrigin = ''
  link.href = href
  document.head.append(link)
  return link
}

/** On a first visit nothing is stored: what every screen needs is asked for before the app can ask. */
function askForSharedLists() {
  globalThis.firstAnswers = Object.fromEntries(
    sharedPaths.map((to) => {
      const headers = { accept: 'application/json', [clientVersionHeader]: `${buildNumber}` }
      return [to, fetch(to, { headers, cache: 'no-store' }).catch(() => undefined)]
    }),
  )
}
