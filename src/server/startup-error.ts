/** The server cannot start for a reason its operator can remove: it prints the message and exits with 1. */
export class StartupError extends Error {
  override name = 'StartupError'
}
