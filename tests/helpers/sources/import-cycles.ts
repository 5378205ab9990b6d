/**
 * The import cycles of a graph: one for each group of files that all reach one another.
 * @param graph each file with the files it imports
 * @returns for each cycle its files in order of import, the first repeated at the end
 */
export function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles = connectedGroups(graph).flatMap((group) => {
    const [first = ''] = [...group].sort()
    return shortestCycle(graph, group, first)
  })
  return cycles.sort(([a = ''], [b = '']) => a.localeCompare(b))
}

/** Tarjan's strongly connected components, those that hold a cycle. */
function connectedGroups(graph: ReadonlyMap<string, readonly string[]>): Set<string>[] {
  const order = new Map<string, number>()
  const stack: string[] = []
  const groups: Set<string>[] = []

  function visit(file: string): number {
    const number = order.size
    order.set(file, number)
    stack.push(file)
    let low = number
    for (const to of graph.get(file) ?? []) {
      if (!order.has(to)) low = Math.min(low, visit(to))
      else if (stack.includes(to)) low = Math.min(low, order.get(to) ?? low)
    }
    if (low === number) groups.push(new Set(stack.splice(stack.indexOf(file))))
    return low
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return groups.filter(
    (group) => group.size > 1 || [...group].some((file) => graph.get(file)?.includes(file)),
  )
}

/** Breadth first from `start` back to itself, without leaving the group. */
function shortestCycle(
  graph: ReadonlyMap<string, readonly string[]>,
  group: ReadonlySet<string>,
  start: string,
): string[][] {
  const paths = [[start]]
  const seen = new Set<string>()
  for (const path of paths)
    for (const to of graph.get(path.at(-1) ?? '') ?? []) {
      if (to === start) return [[...path, start]]
      if (!group.has(to) || seen.has(to)) continue
      seen.add(to)
      paths.push([...path, to])
    }
  return []
}
