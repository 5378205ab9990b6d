import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, the longest first. */
const longest = [
  'sync/model/model-1',
  'sync/model/model-2',
  'sync/model/model-postgres',
  'server/security/dexie',
  'server/security/postgres',
  'server/notifications/who-is-told',
  'server/notifications/sending',
  'server/log/log',
  'sync/events/event-stream',
  'demo/simulation/run',
]

/** Starts the longest test files first, so that no core waits at the end for one of them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
