type Methods = Record<string, (...args: never[]) => Promise<unknown>>

/** An object whose code is loaded when one of its methods is first called. */
export function lazily<T extends Methods>(load: () => Promise<T>): T {
  let loaded: Promise<T> | undefined
  const method = async (name: string, args: never[]): Promise<unknown> => {
    loaded ??= load()
    // What could not be fetched without a network may be there next time.
    loaded.catch(() => {
      loaded = undefined
    })
    return (await loaded)[name]?.(...args)
  }
  return new Proxy({} as T, {
    // Whoever awaits the object itself gets it, unloaded.
    get: (_, name) =>
      name === 'then' || typeof name !== 'string'
        ? undefined
        : (...args: never[]) => method(name, args),
  })
}
