/**
 * A browser's translator puts `<font>` elements in the place of text nodes. React would write into texts that nobody sees any more,
 * and could not remove them (R156). With this a text that React changes takes its place again, to be translated anew, and one that it
 * removes takes its translation with it.
 */
export function keepTranslatedTexts(): void {
  const translations = new WeakMap<Node, ChildNode>()
  const watcher = new MutationObserver((records) => {
    for (const record of records)
      if (record.type === 'childList') noteTranslation(record)
      else bringBack(record.target)
  })

  function noteTranslation({
    removedNodes,
    addedNodes,
    previousSibling,
    nextSibling,
  }: MutationRecord) {
    const font = [...addedNodes, previousSibling, nextSibling].find(isFont)
    if (!font) return
    for (const text of removedNodes) {
      if (!(text instanceof Text)) continue
      translations.set(text, font)
      watcher.observe(text, { characterData: true })
    }
  }

  function bringBack(text: Node) {
    const font = translations.get(text)
    if (font?.isConnected && !text.isConnected) font.replaceWith(text)
  }

  /** What stands for `node` among the children of `parent`: itself, or the element that its translator put there or around it. */
  function standIn(node: Node, parent: Node): Node | null {
    let at: Node | null = node.isConnected ? node : (translations.get(node) ?? node)
    while (at && at.parentNode !== parent) at = at.parentNode
    return at
  }

  const { insertBefore, removeChild } = Node.prototype
  Node.prototype.insertBefore = function <N extends Node>(
    this: Node,
    node: N,
    next: Node | null,
  ): N {
    insertBefore.call(this, node, next instanceof Text ? standIn(next, this) : next)
    return node
  }
  Node.prototype.removeChild = function <N extends Node>(this: Node, node: N): N {
    const shown = node instanceof Text ? standIn(node, this) : node
    if (shown) removeChild.call(this, shown)
    return node
  }
  watcher.observe(document, { childList: true, subtree: true })
}

const isFont = (node: Node | null): node is HTMLElement =>
  node instanceof HTMLElement && node.localName === 'font'
