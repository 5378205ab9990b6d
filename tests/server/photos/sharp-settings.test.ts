import { expect, test } from 'vitest'
import { assertSharpSettings, sharp } from '#server/photos/sharp-settings.ts'

test('R66: photo formats are decoded, drawings and documents are not', async () => {
  await expect(assertSharpSettings()).resolves.toBeUndefined()
  for (const document of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.4\n%%EOF'])
    await expect(sharp(Buffer.from(document)).metadata()).rejects.toThrow()
})
