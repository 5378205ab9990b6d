/**
 * Does work every `interval` milliseconds, one pass at a time; what fails is given to `failed` and done again.
 * `pass` does it now; `end` ends it and does not wait: what is cut off is made good by the next start.
 */
export function repeatedly(
  interval: number,
  work: () => Promise<unknown>,
  failed: (error: unknown) => void,
): { pass: () => Promise<void>; end: () => void } {
  let isUnderWay = false
  let isOver = false
  const pass = async () => {
    // One may take longer than the interval.
    if (isUnderWay) return
    isUnderWay = true
    try {
      await work()
    } catch (error) {
      if (!isOver) failed(error)
    }
    isUnderWay = false
  }
  const timer = setInterval(pass, interval)
  // In Node the timer must not keep the process alive. In a browser it is a number.
  if (typeof timer === 'object') timer.unref()
  return {
    pass,
    end() {
      isOver = true
      clearInterval(timer)
    },
  }
}
