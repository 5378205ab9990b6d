import type { Page } from '@playwright/test'

/**
 * Does to the page what a browser's translator does, now and whenever a text appears or changes: `<font>` elements take the place of
 * its text nodes. The words stay, so that a test finds them, except those of options: no test reads them.
 */
export const translate = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const isLeft = (text: Text) =>
      text.data.trim() === '' ||
      text.parentElement?.closest('[translate="no"], font, script, style, title')
    const replace = (text: Text) => {
      if (isLeft(text)) return
      const isOption = text.parentElement?.localName === 'option'
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = isOption ? `translated ${text.data}` : text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
    const textsIn = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const found: Node[] = [root]
      while (walker.nextNode()) found.push(walker.currentNode)
      return found.filter((node) => node instanceof Text)
    }
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records)
        for (const node of [target, ...addedNodes])
          if (node.isConnected && (node !== target || node instanceof Text))
            textsIn(node).forEach(replace)
    }).observe(document, { childList: true, characterData: true, subtree: true })
  })
