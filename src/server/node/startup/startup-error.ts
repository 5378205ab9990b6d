/** The server cannot start or go on, for a reason its operator can do something about: one clear line, and exit 1. */
export class Fatal extends Error {
  override name = 'Fatal'
}
