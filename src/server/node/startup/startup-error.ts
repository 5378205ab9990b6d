/** The server cannot start or go on, for a reason its operator can do something about: one clear line, and exit 1. */
export class StartupError extends Error {
  override name = 'Fatal'
}
