import type { AuditEntry } from '#contract/responses.ts'

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** The IDs that entries name, of accounts and of other rows. */
export const idsIn = (entries: readonly AuditEntry[]): string[] => [
  ...new Set(entries.flatMap(({ Actor, Subject }) => `${Actor} ${Subject}`.match(uuids) ?? [])),
]

/** Entries as they are shown: in place of an account's ID its e-mail, or the name of one that was deleted (R217). */
export function withPeople(
  entries: readonly AuditEntry[],
  people: readonly { id: string; email: string; name: string }[],
): AuditEntry[] {
  const shown = new Map(people.map(({ id, email, name }) => [id, email || name]))
  const replaced = (text: string) => text.replace(uuids, (id) => shown.get(id) ?? id)
  return entries.map((entry) => ({
    ...entry,
    Actor: replaced(entry.Actor),
    Subject: replaced(entry.Subject),
  }))
}
