import { v7 } from 'uuid'
import type { BatchLine, BatchOperation } from '#contract/batch.ts'
import type { RawQuestion, TestServer } from './server.ts'

/** The lines of the answer to a batch, in their order. */
export async function readLines(answer: Response): Promise<BatchLine[]> {
  const text = await answer.text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** An operation with a new key. */
export const operation = (
  method: string,
  path: string,
  more: Partial<BatchOperation> = {},
): BatchOperation => ({ key: v7(), method, path, ...more })

/** Sends a batch; returns the response unparsed. */
export const sendBatch = (
  server: Pick<TestServer, 'raw'>,
  operations: unknown,
  about: Omit<RawQuestion, 'body'> = {},
) => server.raw('POST', '/batch', { ...about, body: { operations } })

/** The line of each operation, in the order of the operations. */
export async function batchLines(
  server: Pick<TestServer, 'raw'>,
  operations: BatchOperation[],
  about: Omit<RawQuestion, 'body'> = {},
): Promise<BatchLine[]> {
  const lines = await readLines(await sendBatch(server, operations, about))
  return operations.flatMap(({ key }) => lines.filter((line) => line.key === key))
}
