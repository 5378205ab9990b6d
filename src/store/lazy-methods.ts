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

/** Some of an object's methods, to be told apart by name where a Proxy cannot list them. */
export const named = <T extends Methods, K extends keyof T>(from: T, ...names: K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
