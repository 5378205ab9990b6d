import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSecretKey } from '#server/node/startup/secret-key-file.ts'
import { StartupError } from '#server/startup-error.ts'

describe('the key file', () => {
  const isNew = async () => false
  const folder = () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'soma-key-'))
    return { dataDir, file: join(dataDir, 'secret.key') }
  }

  test('is created once, also by concurrent starts, and readable by its owner only', async () => {
    const { dataDir, file } = folder()
    const keys = await Promise.all(Array.from({ length: 20 }, () => loadSecretKey(dataDir, isNew)))
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(await loadSecretKey(dataDir, isNew)).toBe(keys[0])
    expect(readFileSync(file, 'utf8').trim()).toBe(keys[0])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await readdir(dataDir)).toEqual(['secret.key'])
    rmSync(dataDir, { recursive: true })
  })

  test('is not made anew beside a database that has a key', async () => {
    const { dataDir, file } = folder()
    await expect(loadSecretKey(dataDir, async () => true)).rejects.toThrow(
      new StartupError(
        `The secret key of this database is missing: put it back into ${file}, or set SECRET_KEY.`,
      ),
    )
    expect(await readdir(dataDir)).toEqual([])
    rmSync(dataDir, { recursive: true })
  })

  test('with other content is refused and left unchanged', async () => {
    const { dataDir, file } = folder()
    for (const text of ['', 'short', 'ab'.repeat(33)]) {
      writeFileSync(file, text)
      await expect(loadSecretKey(dataDir, isNew)).rejects.toThrow(
        new StartupError(`${file} must hold 64 hex digits, and nothing else.`),
      )
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
    rmSync(dataDir, { recursive: true })
  })
})
