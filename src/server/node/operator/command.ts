import type { Config } from '../startup/config.ts'

type Terminal = {
  /** Prints one line for the operator. */
  print: (line: string) => void
  /** The operator ends the command: it undoes what is half done. */
  signal: AbortSignal
}

/** A command of the operator's. Resolves to whether all is well. Throws `StartupError`. */
export type OperatorCommand = (
  args: string[],
  config: Config,
  terminal: Terminal,
) => Promise<boolean>
