import { expect, test } from 'vitest'
import { deviceName } from '#server/rules/accounts/device-name.ts'

const android = 'Mozilla/5.0 (Linux; Android 13; TECNO KI5q) AppleWebKit/537.36 (KHTML, like Gecko)'
const desktop = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)'
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15'

test.each([
  [`${android} Chrome/150.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    `${android} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`${android} Chrome/150.0.0.0 Mobile Safari/537.36 OPR/90.0`, 'Opera on Android'],
  ['Mozilla/5.0 (Android 13; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
  [`${desktop} Chrome/150.0.0.0 Safari/537.36 Edg/150.0`, 'Edge on Windows'],
  [`${mac} Version/17.5 Safari/605.1.15`, 'Safari on Mac'],
  [`${iphone} Version/17.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${iphone} CriOS/150.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  ['curl/8.5', ''],
  ['', ''],
  [null, ''],
])('%s is a session on “%s”', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})

test('a session’s device name is from a fixed set, whatever a client sends', () => {
  expect(deviceName(`<script>${'x'.repeat(100_000)}Chrome/1 Android`)).toBe('Chrome on Android')
})
