import type { Passwords } from '#server/ports/ports.ts'

/** Hashes nothing: argon2 takes a core for 29 ms, and a test about something else has many people. */
export const quickPasswords: Passwords = {
  hash: async (password) => `hash of ${password}`,
  verify: async (kept, password) => kept === `hash of ${password}`,
}
