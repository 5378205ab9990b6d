type Methods = Record<string, (...args: never[]) => Promise<unknown>>

/**
 * Methods of an object whose code is loaded when one of them is first called. `names` are checked by
 * the compiler, and again when the object is there: a name it does not have is an error.
 */
export const lazyMethods = <T extends Methods, K extends keyof T & string>(
  load: () => Promise<T>,
  names: readonly K[],
): Pick<T, K> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      async (...args: never[]) => {
        const method = (await load())[name]
        if (!method) throw new Error(`There is no method ${name}`)
        return method(...args)
      },
    ]),
  ) as Pick<T, K>
