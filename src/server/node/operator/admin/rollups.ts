import type { Task } from './task.ts'

export const verifyRollups: Task = {
  args: [],
  about: 'compares the statistics with what is stored; exits with 1 if one differs',
  async run({ repo }) {
    const wrong = await repo.transaction(async ({ rollups }) => (await rollups?.countWrong()) ?? 0)
    if (wrong === 0) return { lines: ['The rollups are right.'] }
    const lines = [
      `${wrong} rollups are WRONG. "npm run admin -- rebuild-rollups" counts them anew.`,
    ]
    return { lines, isWrong: true }
  },
}

export const rebuildRollups: Task = {
  args: [],
  about: 'counts what the statistics are made of anew',
  async run({ repo }) {
    await repo.transaction(async ({ rollups }) => rollups?.rebuild())
    return { lines: ['The rollups were counted anew.'] }
  },
}
