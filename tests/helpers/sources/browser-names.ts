import { parseSync, Visitor } from 'vite'

/** A node of a syntax tree, with the parts that are read here. */
type Node = { type: string; [part: string]: unknown }

/** Methods whose first argument is a name, by the object they are called on. */
const stores: Record<string, readonly string[]> = {
  caches: ['open', 'delete', 'has'],
  localStorage: ['getItem', 'setItem', 'removeItem'],
  sessionStorage: ['getItem', 'setItem', 'removeItem'],
  storage: ['getItem', 'setItem', 'removeItem'],
  indexedDB: ['open', 'deleteDatabase'],
  locks: ['request', 'run'],
}
const made = ['BroadcastChannel', 'Dexie', 'SharedWorker']

/**
 * Names under which a source stores something in the browser and that are not particular to one
 * installation: they neither begin with a value, such as the storage prefix, nor end with one, such as
 * the database's name.
 */
export function namesIn(path: string, source: string): string[] {
  const { program } = parseSync(path, source)
  const constants = new Map<string, Node>()
  const named: Node[] = []
  const note = (argument: unknown) => {
    if (argument) named.push(argument as Node)
  }
  new Visitor({
    VariableDeclarator(node) {
      const { id, init } = node as unknown as { id: Node; init: Node | null }
      if (init) constants.set(String(id.name), init)
    },
    CallExpression(node) {
      const { callee, arguments: args } = node as unknown as { callee: Node; arguments: Node[] }
      if (callee.type === 'Super' && args.length > 0) note(args[0])
      if (callee.type !== 'MemberExpression') return
      const on = lastName(callee.object as Node)
      const method = lastName(callee.property as Node)
      if (stores[on]?.includes(method)) note(args[0])
    },
    NewExpression(node) {
      const { callee, arguments: args } = node as unknown as { callee: Node; arguments: Node[] }
      if (made.includes(lastName(callee))) note(args[0])
    },
    Property(node) {
      const { key, value } = node as unknown as { key: Node; value: Node }
      if (key.name === 'cacheName') note(value)
    },
  }).visit(program)
  return named.flatMap((node) => bareName(node, constants))
}

/** `x` of `x`, of `a.x` and of `a?.x`. */
function lastName(node: Node): string {
  if (node.type === 'ChainExpression') return lastName(node.expression as Node)
  if (node.type === 'MemberExpression') return lastName(node.property as Node)
  return String(node.name ?? '')
}

function bareName(node: Node, constants: Map<string, Node>): string[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'Identifier') {
    const value = constants.get(String(node.name))
    return value && value.type !== 'Identifier' ? bareName(value, constants) : []
  }
  if (node.type !== 'TemplateLiteral') return []
  const quasis = node.quasis as { value: { cooked: string } }[]
  const [first = '', last = ''] = [quasis[0]?.value.cooked, quasis.at(-1)?.value.cooked]
  const values = node.expressions as Node[]
  const endsWithOwner =
    last === '' && values.length > 0 && lastName(values.at(-1) as Node) === 'name'
  return first === '' || endsWithOwner ? [] : [first]
}
