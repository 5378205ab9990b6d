const browsers: [RegExp, string][] = [
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bOPR\/|\bOpera/, 'Opera'],
  [/\bEdgA?\//, 'Edge'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** `Chrome on Android` from a `User-Agent`, so that a person knows their own sessions apart. Empty when neither is known. */
export function deviceName(userAgent: string | null): string {
  const nameIn = (names: [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  return [nameIn(browsers), nameIn(systems)].filter((name) => name !== undefined).join(' on ')
}
