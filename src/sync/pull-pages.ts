import type { Question } from '#contract/call.ts'
import { askFor, type List } from './lists.ts'
import type { Answer, Rows } from './pull.ts'
import type { Tools } from './tools.ts'

/**
 * A list that must be held whole, and all that changed in one, is asked for page after page. The first page's cursor stands for
 * all of them: what changes meanwhile is newer than it, and is told again next time.
 */
export async function otherPages(
  tools: Tools,
  list: List,
  question: Question,
  first: Answer,
  value: Rows,
): Promise<Answer> {
  while (value.next) {
    const query = { ...question.query, after: value.next }
    const asked = { ...question, query, etag: undefined }
    const page = await askFor(list, tools.transport, tools.base, asked)
    const more = page.value as Rows
    value.deliveries?.push(...(more.deliveries ?? []))
    value.removed?.push(...(more.removed ?? []))
    value.next = more.next
    first.spoiled.push(...page.spoiled)
  }
  return first
}
