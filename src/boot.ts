import { frameHtml } from './app/components/page/frames.ts'

/*
 * Draws the frame of the screen that is opened, before any other script has come. The build writes it
 * into index.html (vite.config.ts). The demo gets a deep link as its parameter `to`.
 */
const root = document.getElementById('root')
const path = new URLSearchParams(location.search).get('to') ?? location.pathname
if (root)
  root.innerHTML =
    (import.meta.env.MODE === 'demo' ? '<div class="boot-demo"></div>' : '') + frameHtml(path)
