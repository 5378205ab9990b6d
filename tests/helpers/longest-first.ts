import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than 20 seconds, the longest first. */
const longest = [
  'sync/model/model-1',
  'sync/model/model-2',
  'sync/model/model-postgres',
  'server/node/listen/listen',
  'server/security/dexie',
  'sync/events/event-stream',
  'server/security/access/list-fields',
  'server/limits/denial',
  'server/security/odd-input',
  'server/node/startup/starting',
  'demo/simulation/run',
  'server/node/process',
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
