type Methods<T> = { [K in keyof T]: (...args: never[]) => Promise<unknown> }

/**
 * An object of which only the type is known before `load` has brought it, when one of its methods is called by its
 * name. Each method is the same function each time. `run` makes each call.
 */
export function lazyMethods<T extends Methods<T>>(
  load: (name: string) => Promise<Methods<T>>,
  run: <R>(work: () => Promise<R>) => Promise<R> = (work) => work(),
): T {
  const known = new Map<string, unknown>()
  return new Proxy({} as T, {
    get(_, name) {
      // It is no promise, whoever awaits it.
      if (typeof name !== 'string' || name === 'then') return undefined
      const method = (...args: never[]) =>
        run(async () => (await load(name))[name as keyof T](...args))
      if (!known.has(name)) known.set(name, method)
      return known.get(name)
    },
  })
}
