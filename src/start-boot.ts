/*
 * Runs `boot.ts`, which stands before it in the page as text: at once where the app draws the screen, and on a guest's
 * Home, which is part of the page (src/first-page.tsx), once that is painted. Until then nothing else is parsed or run.
 */

/** Milliseconds from the end of the page until `boot.ts` is run without a first paint. */
const longestWait = 1_000

if (document.documentElement.classList.contains('app')) runBoot()
else addEventListener('DOMContentLoaded', () => afterFirstPaint(runBoot))

function runBoot() {
  const script = document.createElement('script')
  script.text = document.getElementById('boot')?.textContent ?? ''
  document.head.append(script)
}

/** Calls it once. A page in the background paints nothing. */
function afterFirstPaint(call: () => void) {
  let isCalled = false
  const once = () => {
    if (!isCalled) call()
    isCalled = true
  }
  setTimeout(once, document.hidden ? 0 : longestWait)
  if (PerformanceObserver.supportedEntryTypes?.includes('paint'))
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) once()
    }).observe({ type: 'paint', buffered: true })
  else requestAnimationFrame(() => setTimeout(once))
}
